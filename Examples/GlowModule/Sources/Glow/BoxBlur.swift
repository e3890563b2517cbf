internal import EditorCore

/// Replaces every value by the mean of a square of them; outside of the picture it is dark. The sums run along, so the
/// radius costs nothing, and the memory is made once.
struct BoxBlur {
    private let size: PixelSize
    private let radius: Int
    private var values: [Int]
    private var across: [Int]
    private var sums: [Int]

    init(size: PixelSize, radius: Int) {
        self.size = size
        self.radius = radius
        values = Array(repeating: 0, count: size.width * size.height)
        across = values
        sums = Array(repeating: 0, count: size.width)
    }

    subscript(x: Int, y: Int) -> Int { values[y * size.width + x] }

    mutating func fill(_ value: (_ x: Int, _ y: Int) -> Int) {
        for y in 0..<size.height { for x in 0..<size.width { values[y * size.width + x] = value(x, y) } }
    }

    mutating func apply() {
        let (width, height, side) = (size.width, size.height, 2 * radius + 1)
        for row in stride(from: 0, to: width * height, by: width) {
            var sum = 0
            for x in -radius..<width {
                if x + radius < width { sum += values[row + x + radius] }
                if x > radius { sum -= values[row + x - radius - 1] }
                if x >= 0 { across[row + x] = sum / side }
            }
        }
        for x in 0..<width { sums[x] = 0 }
        for y in -radius..<height {
            for x in 0..<width {
                if y + radius < height { sums[x] += across[(y + radius) * width + x] }
                if y > radius { sums[x] -= across[(y - radius - 1) * width + x] }
                if y >= 0 { values[y * width + x] = sums[x] / side }
            }
        }
    }
}

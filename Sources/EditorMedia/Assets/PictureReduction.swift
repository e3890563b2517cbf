internal import EditorCore

/// Makes pictures smaller by averaging areas, in premultiplied numbers.
enum PictureReduction {
    /// A picture this many times wider than it is wanted is kept in a smaller size.
    private static let tolerated = 4
    /// The size it is kept in, as a multiple of the width wanted: the renderer scales smoothly from there.
    private static let kept = 2

    /// The width to keep a picture in, or nil when it is kept as it is.
    static func width(natural: Int, wanted: Int?) -> Int? {
        guard let wanted, wanted > 0, natural / tolerated > wanted else { return nil }
        return wanted * kept
    }

    /// The height that keeps the shape of `natural`.
    static func height(of natural: PixelSize, width: Int) -> Int {
        max(1, (natural.height * width + natural.width / 2) / natural.width)
    }

    /// `picture` scaled down to `width`; every pixel is the average of the area it covers.
    static func reduce(_ picture: OverlayPicture, to width: Int) -> OverlayPicture {
        let height = height(of: PixelSize(width: picture.width, height: picture.height), width: width)
        let columns = spans(from: picture.width, to: width)
        let rows = spans(from: picture.height, to: height)
        let share = Float(height) / Float(picture.height) * Float(width) / Float(picture.width)
        var lines = [Float](repeating: 0, count: picture.width * 4)
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { target, count in
            picture.pixels.withUnsafeBufferPointer { source in
                lines.withUnsafeMutableBufferPointer { lines in
                    for y in 0..<height {
                        lines.update(repeating: 0)
                        for line in rows[y].first...rows[y].last {
                            add(
                                source.baseAddress! + line * lines.count, times: rows[y].weight(of: line) * share,
                                to: lines.baseAddress!, count: lines.count)
                        }
                        average(lines.baseAddress!, columns, into: target.baseAddress! + y * width * 4)
                    }
                }
            }
            count = width * height * 4
        }
        return OverlayPicture(width: width, height: height, pixels: pixels)
    }

    private static func byte(_ value: Float) -> UInt8 { UInt8(min(255, max(0, value + 0.5))) }

    /// Source pixels `first` to `last`, of which the outer two are covered in part.
    private struct Span {
        var first: Int
        var last: Int
        var firstWeight: Float
        var lastWeight: Float

        func weight(of index: Int) -> Float { index == first ? firstWeight : index == last ? lastWeight : 1 }
    }

    private static func spans(from count: Int, to fewer: Int) -> [Span] {
        (0..<fewer).map { i in
            let start = Double(i) * Double(count) / Double(fewer)
            let end = Double(i + 1) * Double(count) / Double(fewer)
            let first = min(count - 1, Int(start))
            let last = max(first, min(count - 1, Int(end.rounded(.up)) - 1))
            let isOne = first == last
            return Span(
                first: first, last: last, firstWeight: Float(isOne ? end - start : Double(first + 1) - start),
                lastWeight: Float(end - Double(last)))
        }
    }

    private static func add(
        _ source: UnsafePointer<UInt8>, times weight: Float, to sums: UnsafeMutablePointer<Float>, count: Int
    ) {
        var i = 0
        while i < count {
            sums[i] += Float(source[i]) * weight
            i &+= 1
        }
    }

    /// Weighted sums along one row.
    private static func average(
        _ lines: UnsafePointer<Float>, _ columns: [Span], into target: UnsafeMutablePointer<UInt8>
    ) {
        var place = target
        for span in columns {
            var (r, g, b, a): (Float, Float, Float, Float) = (0, 0, 0, 0)
            var pixel = lines + 4 &* span.first
            var i = span.first
            while i <= span.last {
                let weight = span.weight(of: i)
                r += pixel[0] * weight
                g += pixel[1] * weight
                b += pixel[2] * weight
                a += pixel[3] * weight
                pixel += 4
                i &+= 1
            }
            let alpha = byte(a)
            // Rounding must not lift a colour above its alpha.
            (place[0], place[1], place[2], place[3]) = (
                min(alpha, byte(r)), min(alpha, byte(g)), min(alpha, byte(b)), alpha
            )
            place += 4
        }
    }
}

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

    /// `picture` scaled down to `width`; every pixel is the average of the area it covers.
    static func reduce(_ picture: OverlayPicture, to width: Int) -> OverlayPicture {
        let height = max(1, (picture.height * width + picture.width / 2) / picture.width)
        let columns = spans(from: picture.width, to: width)
        let rows = spans(from: picture.height, to: height)
        var sums = [Float](repeating: 0, count: width * 4)
        var row = [Float](repeating: 0, count: width * 4)
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { target, count in
            picture.pixels.withUnsafeBufferPointer { source in
                for y in 0..<height {
                    for i in sums.indices { sums[i] = 0 }
                    let share = Float(height) / Float(picture.height) * Float(width) / Float(picture.width)
                    for line in rows[y].first...rows[y].last {
                        average(source.baseAddress! + line * picture.width * 4, columns, into: &row)
                        let weight = rows[y].weight(of: line) * share
                        for i in sums.indices { sums[i] += row[i] * weight }
                    }
                    for x in 0..<width {
                        let place = target.baseAddress! + (y * width + x) * 4
                        let alpha = byte(sums[4 * x + 3])
                        // Rounding must not lift a colour above its alpha.
                        for c in 0..<3 { place[c] = min(alpha, byte(sums[4 * x + c])) }
                        place[3] = alpha
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

    /// Weighted sums along one row.
    private static func average(_ source: UnsafePointer<UInt8>, _ columns: [Span], into row: inout [Float]) {
        for (x, span) in columns.enumerated() {
            var sum = SIMD4<Float>(repeating: 0)
            for i in span.first...span.last {
                let pixel = source + 4 * i
                let color = SIMD4<Float>(Float(pixel[0]), Float(pixel[1]), Float(pixel[2]), Float(pixel[3]))
                sum += color * span.weight(of: i)
            }
            for c in 0..<4 { row[4 * x + c] = sum[c] }
        }
    }
}

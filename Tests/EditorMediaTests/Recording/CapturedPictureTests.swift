import EditorCore
import EditorMedia
import EditorTestSupport
import Foundation
import Testing

/// Pictures as cameras give them.
@Suite struct CapturedPictureTests {
    private static let size = PixelSize(width: 64, height: 48)

    /// A smooth picture in BT.709 R′G′B′, every byte of it a formula.
    private static func color(_ x: Int, _ y: Int) -> (r: Double, g: Double, b: Double) {
        (40 + 2.5 * Double(x), 60 + 3 * Double(y), 200 - Double(x + y))
    }

    /// Y′CbCr of a pixel: Kr and Kb of the matrix (ITU-R BT.601-7, BT.709-6), in limited or full range.
    private static func convert(_ x: Int, _ y: Int, isBT709: Bool, isFull: Bool) -> (y: UInt8, u: UInt8, v: UInt8) {
        let (kr, kb) = isBT709 ? (0.2126, 0.0722) : (0.299, 0.114)
        let color = color(x, y)
        let luma = kr * color.r + (1 - kr - kb) * color.g + kb * color.b
        let (cb, cr) = ((color.b - luma) / (2 - 2 * kb), (color.r - luma) / (2 - 2 * kr))
        func byte(_ value: Double) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }
        return isFull
            ? (byte(luma), byte(128 + cb), byte(128 + cr))
            : (byte(16 + luma * 219 / 255), byte(128 + cb * 224 / 255), byte(128 + cr * 224 / 255))
    }

    private static func bytes(_ layout: CapturedPictureFormat.Layout, padding: Int, isFull: Bool) -> (
        bytes: [UInt8], stride: Int
    ) {
        let (width, height) = (size.width, size.height)
        func pixel(_ x: Int, _ y: Int) -> (y: UInt8, u: UInt8, v: UInt8) {
            convert(x, y, isBT709: false, isFull: isFull)
        }
        var out: [UInt8] = []
        let pad = [UInt8](repeating: 0xaa, count: padding)
        switch layout {
        case .yuyv, .uyvy:
            for y in 0..<height {
                for x in stride(from: 0, to: width, by: 2) {
                    let (a, b) = (pixel(x, y), pixel(x + 1, y))
                    out += layout == .yuyv ? [a.y, a.u, b.y, a.v] : [a.u, a.y, a.v, b.y]
                }
                out += pad
            }
            return (out, width * 2 + padding)
        case .nv12, .yuv420:
            for y in 0..<height { out += (0..<width).map { pixel($0, y).y } + pad }
            let chroma = stride(from: 0, to: height, by: 2).map { y in
                stride(from: 0, to: width, by: 2).map { pixel($0, y) }
            }
            if layout == .nv12 {
                for row in chroma { out += row.flatMap { [$0.u, $0.v] } + pad }
            } else {
                let half = [UInt8](pad.prefix(padding / 2))
                for row in chroma { out += row.map(\.u) + half }
                for row in chroma { out += row.map(\.v) + half }
            }
            return (out, width + padding)
        default:
            for y in 0..<height {
                for x in 0..<width {
                    let color = color(x, y)
                    out += [color.r, color.g, color.b].map { UInt8(max(0, min(255, $0.rounded()))) }
                }
                out += pad
            }
            return (out, width * 3 + padding)
        }
    }

    private func check(_ frame: VideoFrame?, isMirrored: Bool = false) throws {
        let frame = try #require(frame)
        #expect(frame.size == Self.size && frame.format == .yuv420)
        // Borders aside, where there is nothing to interpolate from.
        for (x, y) in [(8, 8), (20, 30), (33, 17), (54, 40)] {
            let source = isMirrored ? Self.size.width - 1 - x : x
            let wanted = Self.convert(source, y, isBT709: true, isFull: false)
            let luma = frame.withPlane(0) { $0[y * $1.stride + x] }
            let chroma = (1...2).map { plane in frame.withPlane(plane) { $0[y / 2 * $1.stride + x / 2] } }
            #expect(abs(Int(luma) - Int(wanted.y)) <= 2, "(\(x), \(y)): \(luma), right \(wanted.y)")
            #expect(abs(Int(chroma[0]) - Int(wanted.u)) <= 3 && abs(Int(chroma[1]) - Int(wanted.v)) <= 3)
        }
    }

    @Test(arguments: [CapturedPictureFormat.Layout.nv12, .yuyv, .uyvy, .yuv420, .rgb24], [0, 32])
    func everyLayoutBecomesTheWorkingPicture(layout: CapturedPictureFormat.Layout, padding: Int) throws {
        for isFull in layout == .rgb24 ? [true] : [false, true] {
            let (bytes, stride) = Self.bytes(layout, padding: padding, isFull: isFull)
            let decoder = try CapturedPictureDecoder(
                CapturedPictureFormat(
                    layout: layout, size: Self.size, bytesPerRow: stride, isBT709: false, isFullRange: isFull))
            try check(try decoder.decode(bytes.span, size: Self.size))
            try check(try decoder.decode(bytes.span, size: Self.size, isMirrored: true), isMirrored: true)
        }
    }

    /// Fewer bytes than a picture has, and bytes that are no JPEG, are no picture and no crash.
    @Test(arguments: [CapturedPictureFormat.Layout.nv12, .yuyv, .uyvy, .yuv420, .rgb24, .mjpeg])
    func brokenBytesAreNoPicture(layout: CapturedPictureFormat.Layout) throws {
        let decoder = try CapturedPictureDecoder(
            CapturedPictureFormat(layout: layout, size: Self.size, bytesPerRow: 0, isBT709: false, isFullRange: false))
        for count in [0, 1, 100, 64 * 48] where !(count == 64 * 48 && layout == .mjpeg) {
            let bytes = [UInt8](repeating: 0xd8, count: count)
            let frame = try decoder.decode(bytes.span, size: Self.size)
            #expect(frame == nil)
        }
    }

    /// Zoomed by two, the middle half fills the picture.
    @Test func zoomCropsTheMiddle() throws {
        let (bytes, stride) = Self.bytes(.yuyv, padding: 0, isFull: false)
        let decoder = try CapturedPictureDecoder(
            CapturedPictureFormat(
                layout: .yuyv, size: Self.size, bytesPerRow: stride, isBT709: false, isFullRange: false))
        let frame = try #require(try decoder.decode(bytes.span, size: Self.size, zoom: 2))
        for (x, y) in [(10, 10), (40, 30)] {
            let wanted = Self.convert(16 + x / 2, 12 + y / 2, isBT709: true, isFull: false).y
            let luma = frame.withPlane(0) { $0[y * $1.stride + x] }
            #expect(abs(Int(luma) - Int(wanted)) <= 3)
        }
    }

    /// A picture of another shape covers the wanted one: its middle is kept, nothing is stretched.
    @Test func anotherShapeIsCovered() throws {
        let (bytes, stride) = Self.bytes(.yuyv, padding: 0, isFull: false)
        let decoder = try CapturedPictureDecoder(
            CapturedPictureFormat(
                layout: .yuyv, size: Self.size, bytesPerRow: stride, isBT709: false, isFullRange: false))
        let frame = try #require(try decoder.decode(bytes.span, size: PixelSize(width: 48, height: 48)))
        let wanted = Self.convert(8 + 24, 24, isBT709: true, isFull: false).y
        #expect(abs(Int(frame.withPlane(0) { $0[24 * $1.stride + 24] }) - Int(wanted)) <= 2)
    }
}

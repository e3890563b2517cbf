public import EditorCore
internal import EditorMedia

/// Draws waveforms: a band for each channel, the extremes dark and the loudness bright, a line at silence and one at each
/// second, ten seconds, or minute.
public enum WaveformPicture {
    /// Pixels across and down when nothing else is said.
    public static let standardSize = PixelSize(width: 1200, height: 240)

    private static let (ground, grid, extremes, loudness): (UInt8, UInt8, UInt8, UInt8) = (24, 56, 132, 226)

    /// - Parameter size: even.
    public static func draw(_ waveform: Waveform, size: PixelSize = standardSize) -> VideoFrame {
        var frame = FramePool().frame(.yuv420, size)
        PictureBlit.fill(&frame, with: .black)
        let seconds = Double(waveform.sampleCount) / Double(AudioFormat.sampleRate)
        let step = [1.0, 10, 60, 600].first { seconds / $0 <= 40 } ?? 3600
        let columns = (0..<waveform.channelCount).map { waveform.columns(size.width, ofChannel: $0) }
        let band = size.height / waveform.channelCount
        frame.withMutablePlane(0) { pixels, layout in
            for x in 0..<size.width {
                let (before, after) = (
                    Double(x) * seconds / Double(size.width), Double(x + 1) * seconds / Double(size.width)
                )
                let isMark = x > 0 && (before / step).rounded(.down) != (after / step).rounded(.down)
                for row in 0..<size.height { pixels[row * layout.stride + x] = isMark ? grid : ground }
                for (channel, stretches) in columns.enumerated() {
                    let middle = Double(channel * band) + Double(band) / 2
                    let reach = Double(band) / 2 - 1
                    func row(_ value: Float) -> Int {
                        max(channel * band, min(channel * band + band - 1, Int(middle - Double(value) * reach)))
                    }
                    let stretch = stretches[x]
                    pixels[row(0) * layout.stride + x] = grid
                    guard stretch.most > stretch.least || stretch.rms > 0 else { continue }
                    for y in row(stretch.most)...row(stretch.least) { pixels[y * layout.stride + x] = extremes }
                    let (top, bottom) = (min(stretch.rms, stretch.most), max(-stretch.rms, stretch.least))
                    guard top > bottom else { continue }
                    for y in row(top)...row(bottom) { pixels[y * layout.stride + x] = loudness }
                }
            }
        }
        return frame
    }

    /// Draws a waveform into an image file, PNG, JPEG or WebP by the name's ending.
    /// - Parameter replacing: whether an existing file is replaced; else it is an error.
    public static func write(
        _ waveform: Waveform, to path: String, size: PixelSize = standardSize, replacing: Bool = false
    ) throws {
        _ = try ImageFileWriter.ending(of: path)
        try OutputLocation(path).check(overwrite: replacing)
        try ImageFileWriter.write(draw(waveform, size: size), to: path, replacing: replacing)
    }
}

internal import CFFmpeg
internal import EditorCore

/// The pictures of an animation or a video file in order, decoded by libav. Belongs to one thread.
final class MovingPictures {
    struct Picture {
        var frame: MediaFrame
        /// Seconds on the file's clock.
        var time: Double?
        /// Seconds it stands, as its packet says; nil when it says nothing.
        var duration: Double?
    }

    private let demuxer: Demuxer
    private let decoder: Decoder
    private let index: Int
    private let packet: Packet
    private var hasEnded = false
    /// Packets that the decoder refused.
    private(set) var refusedPackets = 0
    private let secondsPerTick: Double
    /// Square pixels make the picture this wide; from the first picture.
    let pixelAspect: Double
    let orientation: Orientation?

    /// - Parameter format: libav's name of the container; nil finds it out from the content.
    /// - Throws: `EditorError` that names the file.
    init(path: String, format: String? = nil) throws {
        demuxer = try Demuxer(path: path, format: format)
        guard let index = demuxer.bestStream(AVMEDIA_TYPE_VIDEO) else {
            throw EditorError(.invalidData, "\(path) holds no picture")
        }
        self.index = index
        demuxer.readOnly(streams: [index])
        let stream = demuxer.stream(index)
        decoder = try Decoder(stream: stream, path: path)
        packet = try Packet()
        secondsPerTick = stream.pointee.time_base.rational.doubleValue
        let aspect = stream.pointee.sample_aspect_ratio
        pixelAspect = aspect.num > 0 && aspect.den > 0 ? aspect.rational.doubleValue : 1
        orientation = stream.displayOrientation?.orientation
    }

    /// The size that the container claims, before decoding.
    var claimedSize: PixelSize {
        let parameters = demuxer.stream(index).pointee.codecpar.pointee
        return PixelSize(width: Int(parameters.width), height: Int(parameters.height))
    }

    /// The next picture, in a frame of its own; nil at the end.
    func next() throws -> Picture? {
        let frame = try MediaFrame()
        while true {
            switch try decoder.receive(into: frame) {
            case .frame:
                let length = frame.pointer.pointee.pkt_duration
                return Picture(
                    frame: frame, time: frame.pts.map { Double($0) * secondsPerTick },
                    duration: length > 0 ? Double(length) * secondsPerTick : nil)
            case .end: return nil
            case .needsInput:
                if hasEnded { return nil }
                if demuxer.read(into: packet) {
                    if packet.streamIndex == index, try !decoder.send(packet) { refusedPackets += 1 }
                } else {
                    hasEnded = true
                    _ = try decoder.send(nil)
                }
            }
        }
    }
}

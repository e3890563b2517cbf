internal import EditorCapture
internal import EditorCore
internal import EditorMedia
internal import Glibc

/// One segment while it is recorded: pictures on their grid, and the sound that belongs to them. Belongs to one thread.
final class SegmentRecorder {
    let path: String
    let speed: Rational
    let camera: String
    /// What plays meanwhile, and the place in it that is heard with the first picture.
    private let cue: MusicCue?
    private(set) var musicTime: MediaTime?
    /// Pictures after which it is full; nil is without a limit.
    let frameLimit: Int?
    private let rate: Rational
    private let writer: SegmentWriter
    private let sound: SoundTimeline?
    private var grid: FrameGrid?
    private var block = AudioBuffer(sampleCount: 0)
    private var sampleCount: Int64 = 0
    private(set) var heldCount = 0
    private(set) var lostCount = 0

    /// - Throws: `EditorError` that names the file.
    init(
        path: String, size: PixelSize, rate: Rational, preset: String, speed: Rational, camera: String,
        frameLimit: Int?, cue: MusicCue?, sound: SoundTimeline?
    ) throws {
        (self.path, self.speed, self.camera, self.cue) = (path, speed, camera, cue)
        (self.frameLimit, self.rate, self.sound) = (frameLimit, rate, sound)
        writer = try SegmentWriter(
            path: path,
            settings: SegmentWriter.Settings(size: size, frameRate: rate, preset: preset, hasSound: sound != nil))
    }

    /// Pictures so far.
    var frameCount: Int { writer.frameCount }
    var isBegun: Bool { grid != nil }
    var isFull: Bool { frameLimit.map { frameCount >= $0 } ?? false }
    /// How long it plays so far.
    var duration: MediaTime { rate.duration(ofTicks: Int64(frameCount)) / speed }

    /// Whether a segment can begin with a picture of this time: its sound must be there too.
    func canBegin(at time: MonotonicTime) -> Bool {
        // The picture that the music begins with may be stamped a hair early.
        if let cue, time < cue.start + -0.5 / rate.doubleValue { return false }
        return sound?.reaches(time) ?? true
    }

    /// Takes the next picture in; the first one begins the segment, sound and all.
    /// - Throws: `EditorError` that names the file.
    func add(_ frame: VideoFrame, _ stamp: CameraStamp) throws {
        guard !isFull else { return }
        if grid == nil {
            grid = FrameGrid(rate: rate.doubleValue, start: stamp.time)
            sound?.seek(to: stamp.time)
            musicTime = cue.flatMap { MediaTime(decimal: $0.position(at: stamp.time)) }
        } else {
            lostCount += stamp.lostBefore
        }
        guard case .next(var held) = grid!.place(stamp.time) else { return }
        if let frameLimit { held = min(held, frameLimit - frameCount) }
        heldCount += held
        try writer.hold(held)
        if !isFull { try writer.append(frame) }
        try addSound()
    }

    /// Samples that belong to the pictures so far and are not written yet.
    private var owedSamples: Int {
        Int(rate.duration(ofTicks: Int64(frameCount)).ticksRounded(per: AudioFormat.rate) - sampleCount)
    }

    /// Writes as much sound as there is, up to the end of the last picture.
    func addSound() throws {
        guard let sound, isBegun else { return }
        try write(min(owedSamples, sound.readableCount))
    }

    private func write(_ count: Int) throws {
        guard count > 0, let sound else { return }
        sound.read(count, into: &block)
        sampleCount += Int64(count)
        try writer.append(block)
    }

    /// Whether the sound has caught up with the pictures.
    var isComplete: Bool { sound == nil || !isBegun || owedSamples <= 0 }

    /// Ends the segment; silence stands for sound that never came.
    func finish() throws {
        try write(owedSamples)
        try writer.finish()
    }

    /// What is there to keep: nil when nothing can be read.
    /// - Parameter isWhole: false after a failed write, when only closed fragments count.
    func segment(isWhole: Bool) -> RecordedSegment? {
        let count = isWhole ? writer.frameCount : writer.flushedFrameCount
        guard count > 0 else { return nil }
        let length = rate.duration(ofTicks: Int64(count))
        var segment = RecordedSegment(
            path: path, duration: length / speed, frameCount: count, camera: camera)
        segment.speed = speed
        segment.heldCount = heldCount
        segment.lostCount = lostCount
        segment.correctedDrift = (sound?.clock.drift ?? 0) * length.seconds
        segment.musicTime = musicTime
        return segment
    }

    /// After a failed write: leaves in the file what can be read.
    func cut() { writer.cut() }

    /// Removes the file.
    func discard() { unlink(path) }
}

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

    /// - Parameter mayKeepCoded: whether the pictures may come coded.
    /// - Throws: `EditorError` that names the file.
    init(
        path: String, size: PixelSize, rate: Rational, preset: String, speed: Rational, camera: String,
        frameLimit: Int?, cue: MusicCue?, sound: SoundTimeline?, mayKeepCoded: Bool
    ) throws {
        (self.path, self.speed, self.camera, self.cue) = (path, speed, camera, cue)
        (self.frameLimit, self.rate, self.sound) = (frameLimit, rate, sound)
        writer = try SegmentWriter(
            path: path,
            settings: SegmentWriter.Settings(size: size, frameRate: rate, preset: preset, hasSound: sound != nil),
            keepsCoded: mayKeepCoded)
        needsFrames = !mayKeepCoded
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

    /// Whether a picture can be written: one that the camera coded needs a key picture to begin with, and is no use once
    /// pictures are coded here.
    func takes(_ picture: CapturedPicture) -> Bool {
        if isBegun { return picture.frame != nil || keeps(picture) != nil }
        return keeps(picture)?.isKey ?? (picture.frame != nil)
    }

    private func keeps(_ picture: CapturedPicture) -> CodedPicture? {
        picture.coded.flatMap { writer.keeps($0) ? $0 : nil }
    }

    /// Whether pictures are coded here from now on, so that they must come decoded.
    private(set) var needsFrames = false

    /// Takes the next picture in; the first one begins the segment, sound and all.
    /// - Throws: `EditorError` that names the file.
    func add(_ picture: CapturedPicture, _ stamp: CameraStamp) throws {
        guard !isFull else { return }
        if grid == nil {
            grid = FrameGrid(rate: rate.doubleValue, start: stamp.time)
            sound?.seek(to: stamp.time)
            musicTime = cue.flatMap { MediaTime(decimal: $0.position(at: stamp.time)) }
        } else {
            lostCount += stamp.lostBefore
        }
        if let coded = keeps(picture) {
            try add(coded, at: stamp.time)
        } else if let frame = picture.frame {
            needsFrames = true
            guard case .next(let held) = grid!.place(stamp.time) else { return }
            try hold(held)
            if !isFull { try writer.append(frame) }
        }
        try addSound()
    }

    /// Every picture of a stream is written, at the time at which it was taken, as the next ones are made from it.
    private func add(_ coded: CodedPicture, at time: MonotonicTime) throws {
        var places = 0
        if case .next(let held) = grid!.place(time) {
            try hold(held)
            places = 1
        }
        if !isFull { try writer.append(coded, at: time - grid!.start, places: places) }
    }

    /// Counts a picture that the camera gave and that could not be taken.
    func passOver(_ stamp: CameraStamp) {
        guard isBegun else { return }
        needsFrames = true
        lostCount += stamp.lostBefore + 1
    }

    private func hold(_ count: Int) throws {
        let held = min(count, frameLimit.map { $0 - frameCount } ?? count)
        heldCount += held
        try writer.hold(held)
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

internal import EditorCapture
internal import EditorCore
internal import EditorMedia
internal import Glibc

/// What reaches the engine. Cameras and microphones are numbered, so that what a closed one still says is passed over.
enum RecordingMessage: Sendable {
    case camera(CameraMessage, number: Int)
    case microphone(MicrophoneMessage, number: Int)
    case command(RecordingCommand)
    /// Ends the session at once, whatever waits.
    case interrupt
}

/// The state machine of a session. Lives on one thread, which everything reaches through the mailbox.
final class RecordingEngine {
    let settings: RecordingSettings
    let mailbox: Mailbox<RecordingMessage>
    private let store: SessionStore
    private let report: @Sendable (RecordingEvent) -> Void
    private let publish: @Sendable (SessionRecord) -> Void
    private let preview: (@Sendable (VideoFrame) -> Void)?

    private(set) var record: SessionRecord
    private var position: DevicePosition
    private var camera: CameraSource?
    /// The camera that is in use, or was when it went away.
    private var entry: CameraCatalog.Entry?
    private var cameraNumber = 0
    private var microphone: MicrophoneSource?
    private var microphoneNumber = 0

    private var music: MusicPlayer?
    private var segment: SegmentRecorder?
    /// Since when the segment has only waited for its sound.
    private var closingSince: MonotonicTime?
    private var torch = RecordingCommand.LightMode.off
    private var isLit = false
    private var flash = RecordingCommand.LightMode.off
    private var zoom = 1.0
    private var (isFocusLocked, isExposureLocked) = (false, false)
    private var speed = Rational.one
    private var countdown: (left: Int, next: MonotonicTime)?
    private var photo: (path: String, readyAt: MonotonicTime, isLitForIt: Bool)?
    /// Commands that wait for a segment to be closed, or for a time.
    private var deferred: [RecordingCommand] = []
    private var waiting: Waiting?
    private var lastProgress = MonotonicTime(nanoseconds: 0)
    private var darkness = (sum: 0.0, count: 0)
    private var outcome: RecordingOutcome?

    private enum Waiting {
        case untilEnded
        case until(MonotonicTime)
    }

    /// Sound may lag the pictures by so many seconds; what has not come then is silence.
    private static let soundPatience = 1.0
    /// Bytes below which a segment is not begun.
    private static let leastSpace = 16 << 20

    /// Opens camera and microphone.
    /// - Parameter record: a session to go on with; nil begins one.
    /// - Throws: `EditorError` that names the device.
    init(
        _ settings: RecordingSettings, store: SessionStore, record: SessionRecord?, mailbox: Mailbox<RecordingMessage>,
        publish: @escaping @Sendable (SessionRecord) -> Void, preview: (@Sendable (VideoFrame) -> Void)?,
        report: @escaping @Sendable (RecordingEvent) -> Void
    ) throws {
        (self.settings, self.store, self.mailbox, self.report) = (settings, store, mailbox, report)
        (self.publish, self.preview) = (publish, preview)
        position = settings.position
        if let record {
            self.record = record
        } else {
            self.record = SessionRecord(
                id: store.freshID(), created: Double(time(nil)), limit: settings.limit,
                size: PixelSize(width: 2, height: 2), frameRate: settings.wish.rate ?? Rational(30),
                configPath: settings.configPath)
        }
        try FileBytes.makeFolder(settings.folder)
        try openCamera(try CameraSource.find(settings.device, position: settings.position))
        if record == nil, let camera {
            self.record.size = PixelSize(
                width: camera.capture.format.size.width & ~1, height: camera.capture.format.size.height & ~1)
            self.record.frameRate = camera.capture.format.rate
        }
        try openMicrophone()
        if settings.music != nil { openSpeaker() }
        self.record.state = self.record.segments.isEmpty ? .idle : .pause
        if let left = self.record.left, left <= .zero { self.record.state = .stop }
        try save()
        if settings.isTorchOn { set(torch: .on) }
    }

    // MARK: The loop

    func run() -> RecordingOutcome {
        report(.state(record.state))
        while outcome == nil {
            let message = mailbox.next(until: .now + 0.02)
            switch message {
            case .camera(let message, let number)? where number == cameraNumber: take(message)
            case .microphone(let message, let number)? where number == microphoneNumber: take(message)
            case .command(let command)?: accept(command)
            case .interrupt?: interrupt()
            default: break
            }
            tick()
        }
        closeCamera()
        (microphone, music) = (nil, nil)
        return outcome!
    }

    private func tick() {
        let now = MonotonicTime.now
        if let countdown, now >= countdown.next {
            let left = countdown.left - 1
            report(.countdown(left))
            music?.beep(isLast: left == 0)
            self.countdown = left > 0 ? (left, countdown.next + 1) : nil
            if left == 0 { start(length: nil) }
        }
        if let closingSince, segment?.isComplete ?? true || now - closingSince > Self.soundPatience { close() }
        if record.state == .inProgress, now - lastProgress > 0.1 {
            lastProgress = now
            reportProgress()
        }
        switch waiting {
        case .untilEnded? where segment == nil && countdown == nil && photo == nil: waiting = nil
        case .until(let time)? where now >= time: waiting = nil
        default: break
        }
        while closingSince == nil, waiting == nil, outcome == nil, !deferred.isEmpty { perform(deferred.removeFirst()) }
    }

    private func accept(_ command: RecordingCommand) {
        // Whatever waits keeps its order.
        if closingSince != nil || waiting != nil || !deferred.isEmpty {
            deferred.append(command)
        } else {
            perform(command)
        }
    }

    private func perform(_ command: RecordingCommand) {
        switch command {
        case .start(let length): start(length: length)
        case .pause: pause()
        case .toggle: if segment != nil || countdown != nil { pause() } else { start(length: nil) }
        case .deleteLast: deleteLast()
        case .deleteAll: deleteAll()
        case .flip: flip()
        case .torch(let mode): set(torch: mode)
        case .toggleTorch: set(torch: torch == .off ? .on : .off)
        case .flash(let mode): flash = mode
        case .zoom(let factor): set(zoom: factor)
        case .zoomBy(let factor): set(zoom: zoom * factor)
        case .countdown(let seconds): begin(countdown: seconds)
        case .focusLock(let isLocked): lockFocus(isLocked)
        case .toggleFocusLock: lockFocus(!isFocusLocked)
        case .exposureLock(let isLocked): lockExposure(isLocked)
        case .toggleExposureLock: lockExposure(!isExposureLocked)
        case .stabilisation(let isOn):
            control {
                try $0.stabilise(isOn)
            } done: {
                .stabilised(isOn)
            }
        case .speed(let speed):
            self.speed = speed
            report(.speed(speed))
        case .photo(let path): takePhoto(path)
        case .wait(let seconds): waiting = seconds.map { .until(.now + $0) } ?? .untilEnded
        case .finish, .quit: end(command)
        }
    }

    // MARK: Segments

    private func start(length: MediaTime?) {
        guard segment == nil else {
            return warn("recording.running", "a segment is being recorded already; pause ends it")
        }
        if let left = record.left, left < record.frameRate.duration(ofTicks: 1) {
            return warn("recording.full", "the longest recording is reached; delete-last makes room")
        }
        do {
            try reopenWhatIsGone()
            try checkSpace()
            var limits: [Int] = []
            if let left = record.left {
                limits.append(Int((left * speed).ticksRounded(per: record.frameRate)))
            }
            if let length { limits.append(Int((length * speed).ticksRounded(per: record.frameRate))) }
            let cue = cueMusic()
            let path = "\(settings.folder)/\(settings.prefix)_\(record.id)_\(record.nextNumber).mp4"
            record.nextNumber += 1
            let segment = try SegmentRecorder(
                path: path, size: record.size, rate: record.frameRate, preset: settings.preset, speed: speed,
                camera: camera?.label ?? "", frameLimit: limits.min().map { max(1, $0) },
                cue: cue, sound: microphone?.timeline)
            self.segment = segment
            record.running = SessionRecord.Running(
                path: path, speed: speed, camera: segment.camera,
                musicTime: cue.flatMap { MediaTime(decimal: $0.position) })
            try change(to: .inProgress)
            if torch == .auto { darkness = (0, 0) }
            updateFeed()
        } catch {
            music?.stop()
            let failed = segment
            segment = nil
            record.running = nil
            failed?.discard()
            fail(error)
            if record.state == .inProgress { try? change(to: record.segments.isEmpty ? .idle : .pause) }
        }
    }

    private func pause() {
        if countdown != nil {
            countdown = nil
            report(.countdown(-1))
        }
        guard segment != nil, closingSince == nil else { return }
        closingSince = .now
    }

    /// Ends the running segment for good and keeps it.
    private func close(isWhole: Bool = true) {
        closingSince = nil
        guard let segment else { return }
        self.segment = nil
        music?.stop()
        updateFeed()
        var isWhole = isWhole
        if isWhole, segment.isBegun {
            do { try segment.finish() } catch {
                isWhole = false
                fail(error)
            }
        }
        record.running = nil
        if torch == .auto, isLit { light(false) }
        if !isWhole { segment.cut() }
        if let kept = segment.segment(isWhole: isWhole), kept.duration >= settings.shortestSegment || segment.isFull {
            record.append(kept)
            if kept.lostCount > 0 {
                warn(
                    "recording.lost",
                    "the \(segment.camera) lost \(kept.lostCount) pictures in \(segment.path); the ones before are held in their place"
                )
            }
            report(.segmentAdded(record.segments[record.segments.count - 1]))
        } else {
            segment.discard()
            if segment.isBegun, isWhole {
                warn(
                    "recording.short",
                    "the segment was shorter than \(settings.shortestSegment) s and was thrown away")
            }
        }
        let isFull = record.left.map { $0 < record.frameRate.duration(ofTicks: 1) } ?? false
        do { try change(to: isFull ? .stop : record.segments.isEmpty ? .idle : .pause) } catch { fail(error) }
        reportProgress()
    }

    private func deleteLast() {
        guard segment == nil else { return warn("recording.running", "a segment is being recorded; pause it first") }
        guard let last = record.segments.popLast() else {
            return warn("recording.empty", "there is no segment to delete")
        }
        delete([last])
    }

    private func deleteAll() {
        guard segment == nil else { return warn("recording.running", "a segment is being recorded; pause it first") }
        let all = record.segments
        record.segments = []
        delete(all)
    }

    /// The session's file first: a crash in between leaves a file too much and never a segment without its file.
    private func delete(_ segments: [RecordedSegment]) {
        record.updateShares()
        do { try change(to: record.segments.isEmpty ? .idle : .pause) } catch { fail(error) }
        for segment in segments {
            if unlink(segment.path) != 0, errno != ENOENT {
                warn(
                    "recording.delete", "\(segment.path) could not be deleted: \(String(cString: strerror(errno)))")
            }
            report(.segmentDeleted(path: segment.path))
        }
        reportProgress()
    }

    private func end(_ command: RecordingCommand) {
        countdown = nil
        if segment != nil {
            // The segment is closed first, then the command comes round again.
            deferred.insert(command, at: 0)
            return pause()
        }
        if command == .finish {
            guard !record.segments.isEmpty else {
                return fail(EditorError(.invalidData, "nothing is recorded yet, so there is nothing to merge"))
            }
            do { try change(to: .stop) } catch { return fail(error) }
            outcome = .finished
        } else {
            outcome = .left
        }
    }

    private func interrupt() {
        if segment != nil { close() }
        outcome = .interrupted
    }

    // MARK: What comes in

    private func take(_ message: CameraMessage) {
        switch message {
        case .picture(let frame, let stamp):
            preview?(frame)
            watchDarkness(frame)
            if let photo, stamp.time >= photo.readyAt { write(photo: frame) }
            guard let segment, closingSince == nil, segment.isBegun || segment.canBegin(at: stamp.time) else { return }
            do {
                try segment.add(frame, stamp)
            } catch {
                fail(error)
                return close(isWhole: false)
            }
            if segment.isFull { closingSince = .now }
        case .event(.lost(let error)):
            closeCamera()
            failed(error, awaitsSound: true)
        case .event(.stalled(let error)):
            camera?.isStalled = true
            failed(error, awaitsSound: true)
        case .event(.resumed):
            camera?.isStalled = false
            warn("camera.back", "the \(camera?.label ?? "camera") gives pictures again")
        case .event(.note(let finding)): report(.finding(finding))
        case .failed(let error): failed(error, awaitsSound: true)
        }
    }

    private func take(_ message: MicrophoneMessage) {
        switch message {
        case .sound(let block):
            microphone?.take(block)
            guard let segment else { return }
            do { try segment.addSound() } catch {
                fail(error)
                close(isWhole: false)
            }
        case .lost(let error):
            microphone = nil
            microphoneNumber += 1
            failed(error, awaitsSound: false)
        }
    }

    /// A device failed: what was recorded is kept, and the session waits.
    /// - Parameter awaitsSound: whether sound of the last pictures may still be on its way.
    private func failed(_ error: EditorError, awaitsSound: Bool) {
        fail(error)
        countdown = nil
        photo = nil
        if awaitsSound { pause() } else if segment != nil { close() }
    }

    // MARK: Devices

    private func openCamera(_ entry: CameraCatalog.Entry) throws {
        cameraNumber += 1
        let (number, mailbox) = (cameraNumber, mailbox)
        var wish = settings.wish
        let size = record.size.width > 2 ? record.size : nil
        // A session's pictures are of one kind: the mode that is like them first.
        if let size {
            wish.size = size
            wish.rate = record.frameRate
            wish.canvas = size
        }
        func open(_ wish: CameraModeWish) throws -> CameraSource {
            try CameraSource(entry, wish: wish, size: size, isWanted: preview != nil || segment != nil) { message in
                var isHeavy = false
                if case .picture = message { isHeavy = true }
                mailbox.post(.camera(message, number: number), isHeavy: isHeavy)
            }
        }
        let source: CameraSource
        do { source = try open(wish) } catch let error as EditorError
            where size != nil && error.message.contains("no such mode")
        {
            (wish.size, wish.rate) = (nil, nil)
            source = try open(wish)
        }
        camera = source
        self.entry = entry
        position = entry.position
        report(.camera(name: source.label, position: entry.position, mode: source.mode.description))
        if source.controls.hasStabilisation { try? source.controls.stabilise(true) }
        if zoom > 1 { set(zoom: zoom) }
        if torch == .on { light(true) }
        (isFocusLocked, isExposureLocked) = (false, false)
    }

    /// The capture thread may be waiting for this one to take a picture from it.
    private func closeCamera() {
        cameraNumber += 1
        isLit = false
        mailbox.refusingHeavy { camera = nil }
    }

    private func openMicrophone() throws {
        guard let name = settings.microphone else { return report(.microphone(nil)) }
        microphoneNumber += 1
        let (number, mailbox) = (microphoneNumber, mailbox)
        let source = try MicrophoneSource(name) { mailbox.post(.microphone($0, number: number)) }
        microphone = source
        report(.microphone(source.capture.label))
    }

    /// Without a speaker nothing is heard, and recording goes on.
    private func openSpeaker() {
        guard music == nil, let name = settings.speaker else { return }
        do {
            music = try MusicPlayer(speaker: name, open: settings.music)
        } catch {
            guard settings.music != nil else { return }
            let reason = (error as? EditorError)?.message ?? "\(error)"
            warn("speaker.none", "\(reason); the music is not heard while recording, and is in the merge all the same")
        }
    }

    /// Has the music heard from where the movie is, at the moment of a picture that is still to come.
    private func cueMusic() -> MusicCue? {
        guard settings.music != nil, let music else { return nil }
        let step = 1 / record.frameRate.doubleValue
        let now = MonotonicTime.now
        let last = camera?.feed.lastPictureTime ?? now
        let steps = (((now - last) + music.latency) / step).rounded(.up)
        let cue = MusicCue(
            start: last + steps * step, position: record.duration.seconds, rate: 1 / speed.doubleValue)
        music.play(cue)
        return cue
    }

    private func reopenWhatIsGone() throws {
        if let camera, camera.isStalled {
            throw EditorError(
                .unavailable,
                "the \(camera.label) still gives no pictures; unplug it and plug it in again, or flip to the other one")
        }
        // The one that went away, and not another in its place.
        if camera == nil, let entry { try openCamera(entry) }
        if microphone == nil, settings.microphone != nil { try openMicrophone() }
    }

    private func flip() {
        let all = CameraCatalog.entries()
        let wanted: DevicePosition = position == .back ? .front : .back
        guard let other = all.first(where: { $0.position == wanted && $0.path != camera?.entry.path }) else {
            return warn("camera.one", "there is no \(wanted.rawValue) camera to change to")
        }
        let before = entry
        // Both at once may be more than the bus can carry.
        closeCamera()
        do {
            try openCamera(other)
        } catch {
            fail(error)
            if let before {
                do { try openCamera(before) } catch { failed(error as? EditorError ?? .cancelled, awaitsSound: true) }
            }
        }
    }

    private func updateFeed() {
        let isWanted = preview != nil || segment != nil || photo != nil
        camera?.feed.change { $0.isWanted = isWanted }
    }

    // MARK: Controls

    private func control(_ body: (CameraOperator) throws -> Void, done: () -> RecordingEvent) {
        guard let camera else { return warn("camera.gone", "there is no camera to control") }
        do {
            try body(camera.controls)
            report(done())
        } catch let error as EditorError {
            warn("camera.control", error.message)
        } catch { fail(error) }
    }

    private func set(torch mode: RecordingCommand.LightMode) {
        guard camera?.controls.hasTorch ?? false else {
            return warn("camera.control", "the \(camera?.label ?? "camera") has no torch")
        }
        torch = mode
        darkness = (0, 0)
        light(mode == .on)
    }

    private func light(_ isOn: Bool) {
        control {
            try $0.light(isOn)
            isLit = isOn
        } done: {
            .torch(torch, isLit: isOn)
        }
    }

    /// `auto`: once the pictures of half a second are dark, the torch burns until the segment ends.
    private func watchDarkness(_ frame: VideoFrame) {
        guard torch == .auto, !isLit, segment != nil else { return }
        darkness.sum += Self.meanLuma(frame)
        darkness.count += 1
        guard darkness.count * 2 >= Int(record.frameRate.doubleValue) else { return }
        if darkness.sum / Double(darkness.count) < Self.darkLuma { light(true) }
        darkness = (0, 0)
    }

    /// Mean luma below which a picture is dark: an eighth of the way from black to white.
    private static let darkLuma = 44.0

    private static func meanLuma(_ frame: VideoFrame) -> Double {
        frame.withPlane(0) { pixels, layout in
            var (sum, count) = (0, 0)
            // Every eighth row and column is plenty.
            for row in stride(from: 0, to: layout.height, by: 8) {
                for column in stride(from: 0, to: layout.width, by: 8) {
                    sum += Int(pixels[row * layout.stride + column])
                    count += 1
                }
            }
            return Double(sum) / Double(max(1, count))
        }
    }

    private func set(zoom factor: Double) {
        let wanted = min(settings.largestZoom, max(1, factor))
        if factor > settings.largestZoom * 1.0001 {
            warn("camera.zoom", "the zoom goes to \(settings.largestZoom) at most (maxVideoZoomFactor)")
        }
        zoom = wanted
        guard let camera else { return }
        let (driver, cropping) = camera.controls.zoom(wanted, largest: settings.largestZoom)
        camera.feed.change { $0.zoom = cropping }
        report(.zoom(wanted, byDriver: driver, byCropping: cropping))
    }

    private func lockFocus(_ isLocked: Bool) {
        control {
            try $0.lockFocus(isLocked)
            isFocusLocked = isLocked
        } done: {
            .focusLocked(isLocked)
        }
    }

    private func lockExposure(_ isLocked: Bool) {
        control {
            try $0.lockExposure(isLocked)
            isExposureLocked = isLocked
        } done: {
            .exposureLocked(isLocked)
        }
    }

    private func begin(countdown seconds: Int) {
        guard segment == nil else { return warn("recording.running", "a segment is being recorded already") }
        report(.countdown(seconds))
        openSpeaker()
        music?.beep(isLast: seconds == 0)
        if seconds == 0 { start(length: nil) } else { countdown = (seconds, .now + 1) }
    }

    // MARK: Photos

    private func takePhoto(_ path: String) {
        do {
            _ = try ImageFileWriter.ending(of: path)
            try reopenWhatIsGone()
        } catch { return fail(error) }
        let needsLight = flash != .off && !isLit && camera?.controls.hasTorch ?? false
        if flash != .off, !needsLight, !isLit {
            warn("camera.control", "the \(camera?.label ?? "camera") has no light")
        }
        if needsLight, flash == .on { light(true) }
        // The exposure needs some pictures to follow the light.
        photo = (path, .now + (needsLight && flash == .on ? 0.4 : 0), needsLight && flash == .on)
        updateFeed()
    }

    private func write(photo frame: VideoFrame) {
        guard let photo else { return }
        if flash == .auto, !photo.isLitForIt, !isLit, camera?.controls.hasTorch ?? false,
            Self.meanLuma(frame) < Self.darkLuma
        {
            light(true)
            self.photo = (photo.path, .now + 0.4, true)
            return
        }
        self.photo = nil
        updateFeed()
        do {
            try ImageFileWriter.write(frame, to: photo.path)
            report(.photo(photo.path))
        } catch { fail(error) }
        if photo.isLitForIt { light(torch == .on) }
    }

    // MARK: Telling

    private func warn(_ code: String, _ message: String) {
        report(.finding(Finding(.warning, code: code, message)))
    }

    private func fail(_ error: any Error) {
        report(.failure(error as? EditorError ?? EditorError(.internalBug, "\(error)")))
    }

    private func change(to state: RecordingState) throws {
        record.state = state
        defer { report(.state(state)) }
        try save()
    }

    private func save() throws {
        publish(record)
        try store.save(record)
    }

    private func checkSpace() throws {
        var space = statvfs()
        guard statvfs(settings.folder, &space) == 0 else { return }
        let free = Int(space.f_bavail) * Int(space.f_frsize)
        guard free >= Self.leastSpace else {
            throw EditorError(
                .ioFailed,
                "there are only \(free >> 20) MiB left in \(settings.folder); make room, or choose another videoFilePathType"
            )
        }
    }

    private func reportProgress() {
        let running = segment?.duration ?? .zero
        let duration = (record.duration + running).seconds
        report(
            .progress(
                RecordingEvent.Progress(
                    duration: duration, fraction: record.limit.map { min(1, duration / $0.seconds) },
                    secondsLeft: record.limit.map { max(0, $0.seconds - duration) }, level: microphone?.level,
                    marks: record.segments.map(\.progress))))
    }
}

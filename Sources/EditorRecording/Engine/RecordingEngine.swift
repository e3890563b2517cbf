internal import EditorCapture
internal import EditorCore
internal import EditorMedia
internal import Glibc

/// The state machine of a session. Lives on one thread, which everything reaches through the mailbox.
final class RecordingEngine {
    private let settings: RecordingSettings
    private let mailbox: Mailbox<RecordingMessage>
    private let teller: EventTeller
    private let preview: (@Sendable (VideoFrame) -> Void)?
    private let keeper: SessionKeeper
    private let devices: RecordingDevices
    private let photos: PhotoTaker

    private var segment: SegmentRecorder?
    /// Since when the segment has only waited for its sound.
    private var closingSince: MonotonicTime?
    private var speed = Rational.one
    private var countdown: Countdown?
    private var deferred = DeferredCommands()
    private var lastProgress = MonotonicTime(nanoseconds: 0)
    private var outcome: RecordingOutcome?

    /// Sound may lag the pictures by so many seconds; what has not come then is silence.
    private static let soundPatience = 1.0

    /// Opens camera and microphone.
    /// - Parameter record: a session to go on with; nil begins one.
    /// - Throws: `EditorError` that names the device.
    init(
        _ settings: RecordingSettings, store: SessionStore, record: SessionRecord?, mailbox: Mailbox<RecordingMessage>,
        publish: @escaping @Sendable (SessionRecord) -> Void, preview: (@Sendable (VideoFrame) -> Void)?,
        report: @escaping @Sendable (RecordingEvent) -> Void
    ) throws {
        (self.settings, self.mailbox, self.preview) = (settings, mailbox, preview)
        teller = EventTeller(report: report)
        devices = RecordingDevices(settings, mailbox: mailbox, teller: teller)
        photos = PhotoTaker(controls: devices.controls, teller: teller)
        devices.wants = PictureFeed.Wants(isAny: preview != nil, areFrames: preview != nil)
        devices.shape = record.map { ($0.size, $0.frameRate) }
        try FileBytes.makeFolder(settings.folder)
        try devices.openCamera()
        let format = devices.camera!.capture.format
        let session =
            record
            ?? SessionRecord(
                id: store.freshID(), created: Double(time(nil)), limit: settings.limit,
                size: PixelSize(width: format.size.width & ~1, height: format.size.height & ~1), frameRate: format.rate,
                configPath: settings.configPath)
        devices.shape = (session.size, session.frameRate)
        keeper = SessionKeeper(session, store: store, publish: publish, teller: teller)
        try devices.openMicrophone()
        if settings.music != nil { devices.openSpeaker() }
        keeper.record.state = keeper.restingState
        try keeper.save()
        if settings.isTorchOn { devices.controls.set(torch: .on) }
    }

    // MARK: The loop

    func run() -> RecordingOutcome {
        teller.report(.state(keeper.record.state))
        reportProgress()
        while true {
            switch mailbox.next(until: .now + 0.02) {
            case .camera(let message, let number)? where devices.isInUse(camera: number): take(message)
            case .microphone(let message, let number)? where devices.isInUse(microphone: number): take(message)
            case .command(let command)?: accept(command)
            case .interrupt?: interrupt()
            default: break
            }
            tick()
            if let outcome {
                devices.close()
                return outcome
            }
        }
    }

    private func tick() {
        let now = MonotonicTime.now
        if let left = countdown?.tick(now) { count(left) }
        if let closingSince, segment?.isComplete ?? true || now - closingSince > Self.soundPatience { close() }
        // Who shows the picture shows the microphone's level too, before anything is recorded.
        if keeper.record.state == .inProgress || preview != nil, now - lastProgress > 0.1 {
            lastProgress = now
            reportProgress()
        }
        deferred.stopWaiting(now, isRecording: segment != nil || countdown != nil, takesPhoto: photos.isBusy)
        while closingSince == nil, outcome == nil, let command = deferred.next() { perform(command) }
    }

    private func accept(_ command: RecordingCommand) {
        // Whatever waits keeps its order.
        if closingSince != nil || !deferred.isEmpty {
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
        case .deleteLast: delete(1)
        case .deleteAll: delete(keeper.record.segments.count)
        case .flip:
            do { try devices.flip() } catch { failed(error, awaitsSound: true) }
        case .torch(let mode): devices.controls.set(torch: mode)
        case .toggleTorch: devices.controls.toggleTorch()
        case .flash(let mode): photos.flash = mode
        case .zoom(let factor): devices.controls.set(zoom: factor)
        case .zoomBy(let factor): devices.controls.multiplyZoom(by: factor)
        case .countdown(let seconds): begin(countdown: seconds)
        case .focusLock(let isLocked): devices.controls.lockFocus(isLocked)
        case .toggleFocusLock: devices.controls.toggleFocusLock()
        case .exposureLock(let isLocked): devices.controls.lockExposure(isLocked)
        case .toggleExposureLock: devices.controls.toggleExposureLock()
        case .stabilisation(let isOn): devices.controls.stabilise(isOn)
        case .speed(let speed):
            self.speed = speed
            teller.report(.speed(speed))
        case .photo(let path): if !waitsForPhoto(before: command) { takePhoto(path) }
        case .wait(let seconds): deferred.wait(for: seconds.map { .until(.now + $0) } ?? .end)
        case .finish, .quit: end(command)
        }
    }

    // MARK: Segments

    private func start(length: MediaTime?) {
        guard segment == nil else {
            return teller.warn("recording.running", "a segment is being recorded already; pause ends it")
        }
        countdown = nil
        guard keeper.restingState != .stop else {
            return teller.warn("recording.full", "the longest recording is reached; delete-last makes room")
        }
        do {
            try devices.reopenWhatIsGone()
            try SegmentSpace.check(settings.folder)
            try begin(limits: [keeper.record.left, length].compactMap { $0 })
        } catch {
            devices.music?.stop()
            segment?.discard()
            segment = nil
            keeper.record.running = nil
            teller.fail(error)
            if keeper.record.state == .inProgress { keeper.rest() }
        }
    }

    private func begin(limits: [MediaTime]) throws {
        let record = keeper.record
        let frames = limits.map { max(1, Int(($0 * speed).ticksRounded(per: record.frameRate))) }
        let cue = devices.cueMusic(
            at: record.duration.seconds, speed: speed, step: 1 / record.frameRate.doubleValue)
        let path = "\(settings.folder)/\(settings.prefix)_\(record.id)_\(record.nextNumber).mp4"
        keeper.record.nextNumber += 1
        let segment = try SegmentRecorder(
            path: path, size: record.size, rate: record.frameRate, preset: settings.preset, speed: speed,
            camera: devices.camera?.label ?? "", frameLimit: frames.min(), cue: cue,
            sound: devices.microphone?.timeline, mayKeepCoded: devices.camera?.feed.mayKeep ?? false)
        self.segment = segment
        keeper.record.running = SessionRecord.Running(
            path: path, speed: speed, camera: segment.camera,
            musicTime: cue.flatMap { MediaTime(decimal: $0.position) })
        try keeper.change(to: .inProgress)
        devices.controls.segmentBegins()
        updateWants()
    }

    private func pause() {
        stopCountdown()
        guard segment != nil, closingSince == nil else { return }
        closingSince = .now
    }

    /// Ends the running segment for good and keeps it.
    private func close(isWhole: Bool = true) {
        closingSince = nil
        guard let segment else { return }
        self.segment = nil
        devices.music?.stop()
        updateWants()
        var isWhole = isWhole
        if isWhole, segment.isBegun {
            do { try segment.finish() } catch {
                isWhole = false
                teller.fail(error)
            }
        }
        keeper.record.running = nil
        devices.controls.segmentEnded()
        if !isWhole { segment.cut() }
        if let kept = segment.segment(isWhole: isWhole), kept.duration >= settings.shortestSegment || segment.isFull {
            keep(kept)
        } else {
            segment.discard()
            if segment.isBegun, isWhole {
                teller.warn(
                    "recording.short",
                    "the segment was shorter than \(settings.shortestSegment) s and was thrown away")
            }
        }
        keeper.rest()
        reportProgress()
    }

    private func keep(_ segment: RecordedSegment) {
        keeper.record.append(segment)
        if segment.lostCount > 0 {
            teller.warn(
                "recording.lost",
                "the \(segment.camera) lost \(segment.lostCount) pictures in \(segment.path); the ones before are held in their place"
            )
        }
        // With its share of the longest recording.
        if let last = keeper.record.segments.last { teller.report(.segmentAdded(last)) }
    }

    private func delete(_ count: Int) {
        guard segment == nil else {
            return teller.warn("recording.running", "a segment is being recorded; pause it first")
        }
        guard !keeper.record.segments.isEmpty else {
            return teller.warn("recording.empty", "there is no segment to delete")
        }
        keeper.deleteLast(count)
        reportProgress()
    }

    private func end(_ command: RecordingCommand) {
        stopCountdown()
        if segment != nil {
            // The segment is closed first, then the command comes round again.
            deferred.putBack(command)
            return pause()
        }
        if waitsForPhoto(before: command) { return }
        if command == .finish {
            guard !keeper.record.segments.isEmpty else {
                return teller.fail(EditorError(.invalidData, "nothing is recorded yet, so there is nothing to merge"))
            }
            do { try keeper.change(to: .stop) } catch { return teller.fail(error) }
            outcome = .finished
        } else {
            outcome = .left
        }
    }

    private func interrupt() {
        if segment != nil { close() }
        outcome = .interrupted
    }

    // MARK: Countdown and photos

    private func begin(countdown seconds: Int) {
        guard segment == nil else {
            return teller.warn("recording.running", "a segment is being recorded already")
        }
        devices.openSpeaker()
        countdown = Countdown(seconds: seconds, now: .now)
        count(seconds)
    }

    private func count(_ left: Int) {
        teller.report(.countdown(left))
        if left > 0 { devices.music?.beep(isLast: left == 1) } else { start(length: nil) }
    }

    private func stopCountdown() {
        guard countdown != nil else { return }
        countdown = nil
        teller.report(.countdown(-1))
    }

    /// Puts a command off while a photo is still to come.
    private func waitsForPhoto(before command: RecordingCommand) -> Bool {
        guard photos.isBusy else { return false }
        deferred.putBack(command)
        deferred.wait(for: .photo)
        return true
    }

    private func takePhoto(_ path: String) {
        do {
            try devices.reopenWhatIsGone()
            try photos.take(path)
        } catch { return teller.fail(error) }
        updateWants()
    }

    // MARK: What comes in

    private func take(_ message: CameraMessage) {
        switch message {
        case .picture(let frame, let stamp): take(frame, stamp)
        case .event(.lost(let error)):
            devices.closeCamera()
            failed(error, awaitsSound: true)
        case .event(.stalled(let error)):
            devices.camera?.isStalled = true
            failed(error, awaitsSound: true)
        case .event(.resumed):
            devices.camera?.isStalled = false
            teller.warn("camera.back", "the \(devices.camera?.label ?? "camera") gives pictures again")
        case .event(.note(let finding)): teller.report(.finding(finding))
        case .failed(let error): failed(error, of: devices.camera)
        }
    }

    /// A picture could not be used. A stream of the wrong kind fails with one picture after the other, so it is told
    /// once, and then only to whoever began something that ends by it.
    private func failed(_ error: EditorError, of camera: CameraSource?) {
        let isBusy = segment != nil && closingSince == nil || countdown != nil || photos.isBusy
        guard isBusy || camera?.isFailureTold != true else { return }
        camera?.isFailureTold = true
        failed(error, awaitsSound: true)
    }

    private func take(_ picture: CapturedPicture, _ stamp: CameraStamp) {
        if let frame = picture.frame {
            preview?(frame)
            if photos.isBusy { photos.offer(frame, takenAt: stamp.time) }
            if segment != nil { devices.controls.watch(frame, rate: keeper.record.frameRate) }
        }
        defer { updateWants() }
        guard let segment, closingSince == nil, segment.isBegun || segment.canBegin(at: stamp.time) else { return }
        guard segment.takes(picture) else {
            segment.passOver(stamp)
            devices.camera?.feed.askForKeyPicture()
            return
        }
        do {
            try segment.add(picture, stamp)
        } catch {
            teller.fail(error)
            return close(isWhole: false)
        }
        if segment.isFull { closingSince = .now }
    }

    private func take(_ message: MicrophoneMessage) {
        switch message {
        case .sound(let block):
            let missed = devices.microphone?.take(block) ?? 0
            guard let segment else { return }
            if missed > 0, segment.isBegun {
                teller.warn(
                    "recording.soundLost",
                    "the \(devices.microphone?.capture.label ?? "microphone") was not heard for \(Int((missed * 1000).rounded())) ms in \(segment.path), as the machine was too busy; there is silence"
                )
            }
            do { try segment.addSound() } catch {
                teller.fail(error)
                close(isWhole: false)
            }
        case .lost(let error):
            devices.closeMicrophone()
            failed(error, awaitsSound: false)
        }
    }

    /// A device failed: what was recorded is kept, and the session waits.
    /// - Parameter awaitsSound: whether sound of the last pictures may still be on its way.
    private func failed(_ error: any Error, awaitsSound: Bool) {
        teller.fail(error)
        stopCountdown()
        photos.cancel()
        if awaitsSound { pause() } else if segment != nil { close() }
    }

    private func updateWants() {
        let areSeen = preview != nil || photos.isBusy
        // Pictures that the camera coded are decoded only where that is needed.
        let isNeeded = segment.map { $0.needsFrames || devices.controls.watchesLight } ?? false
        devices.wants = PictureFeed.Wants(isAny: areSeen || segment != nil, areFrames: areSeen || isNeeded)
    }

    private func reportProgress() {
        let record = keeper.record
        let duration = (record.duration + (segment?.duration ?? .zero)).seconds
        teller.report(
            .progress(
                RecordingEvent.Progress(
                    duration: duration, fraction: record.limit.map { min(1, duration / $0.seconds) },
                    secondsLeft: record.limit.map { max(0, $0.seconds - duration) },
                    level: devices.microphone?.level, marks: record.segments.map(\.progress))))
    }
}

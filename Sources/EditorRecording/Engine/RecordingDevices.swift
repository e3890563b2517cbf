internal import EditorCapture
internal import EditorCore
internal import EditorMedia

/// The camera, microphone and speaker that a session works with. Belongs to one thread.
final class RecordingDevices {
    let controls: CameraControls
    private(set) var camera: CameraSource?
    private(set) var microphone: MicrophoneSource?
    private(set) var music: MusicPlayer?

    /// What a session's pictures are like, which cameras that come later are made to follow; nil until the first one.
    var shape: (size: PixelSize, rate: Rational)?
    /// What somebody wants of the camera's pictures.
    var wants = PictureFeed.Wants() {
        didSet {
            guard wants != oldValue else { return }
            let wants = wants
            camera?.feed.change { $0.wants = wants }
        }
    }

    private let settings: RecordingSettings
    private let mailbox: Mailbox<RecordingMessage>
    private let teller: EventTeller
    private var position: DevicePosition
    /// The camera that is in use, or was when it went away.
    private var entry: CameraCatalog.Entry?
    /// Cameras and microphones are numbered, so that what a closed one still says is passed over.
    private var cameraNumber = 0
    private var microphoneNumber = 0
    private var isSpeakerMissed = false

    init(_ settings: RecordingSettings, mailbox: Mailbox<RecordingMessage>, teller: EventTeller) {
        (self.settings, self.mailbox, self.teller) = (settings, mailbox, teller)
        position = settings.position
        controls = CameraControls(largestZoom: settings.largestZoom, teller: teller)
    }

    func isInUse(camera number: Int) -> Bool { number == cameraNumber }

    func isInUse(microphone number: Int) -> Bool { number == microphoneNumber }

    func close() {
        closeCamera()
        (microphone, music) = (nil, nil)
    }

    // MARK: Camera

    /// Opens the camera that the settings name.
    /// - Throws: `EditorError` that names it.
    func openCamera() throws { try openCamera(try CameraSource.find(settings.device, position: settings.position)) }

    private func openCamera(_ entry: CameraCatalog.Entry) throws {
        cameraNumber += 1
        let (number, mailbox) = (cameraNumber, mailbox)
        let source = try CameraSource(entry, wishes: wishes, size: shape?.size, wants: wants) { message in
            var isHeavy = false
            if case .picture = message { isHeavy = true }
            mailbox.post(.camera(message, number: number), isHeavy: isHeavy)
        }
        camera = source
        self.entry = entry
        position = entry.position
        teller.report(.camera(name: source.label, position: entry.position, mode: source.mode.description))
        controls.adopt(source)
    }

    /// A session's pictures are of one kind: the mode that is like them first, then whatever can be made like them.
    private var wishes: [CameraModeWish] {
        guard let shape else { return [settings.wish] }
        var any = settings.wish
        (any.canvas, any.size, any.rate) = (shape.size, nil, nil)
        var alike = any
        (alike.size, alike.rate) = (shape.size, shape.rate)
        return [alike, any]
    }

    /// The capture thread may be waiting for this one to take a picture from it.
    func closeCamera() {
        cameraNumber += 1
        mailbox.refusingHeavy {
            controls.camera = nil
            camera = nil
        }
    }

    /// Changes to the other camera, or stays with the one there is.
    /// - Throws: `EditorError` that names it when none is left.
    func flip() throws {
        let wanted: DevicePosition = position == .back ? .front : .back
        let other = CameraCatalog.entries().first { $0.position == wanted && $0.path != camera?.entry.path }
        guard let other else {
            return teller.warn("camera.one", "there is no \(wanted.rawValue) camera to change to")
        }
        let before = entry
        // Both at once may be more than the bus can carry.
        closeCamera()
        do {
            try openCamera(other)
        } catch {
            teller.fail(error)
            if let before { try openCamera(before) }
        }
    }

    // MARK: Microphone

    /// - Throws: `EditorError` that names it.
    func openMicrophone() throws {
        guard let name = settings.microphone else { return teller.report(.microphone(nil)) }
        microphoneNumber += 1
        let (number, mailbox) = (microphoneNumber, mailbox)
        let source = try MicrophoneSource(name) { mailbox.post(.microphone($0, number: number)) }
        microphone = source
        teller.report(.microphone(source.capture.label))
    }

    func closeMicrophone() {
        microphone = nil
        microphoneNumber += 1
    }

    // MARK: Speaker

    /// Without a speaker nothing is heard, and recording goes on.
    func openSpeaker() {
        guard music == nil, !isSpeakerMissed, let name = settings.speaker else { return }
        do {
            music = try MusicPlayer(speaker: name, open: settings.music)
        } catch {
            isSpeakerMissed = true
            let reason = (error as? EditorError)?.message ?? "\(error)"
            teller.warn(
                "speaker.none",
                settings.music == nil
                    ? "\(reason); a countdown is not heard"
                    : "\(reason); the music is not heard while recording, and is in the merge all the same")
        }
    }

    /// Has the music heard from a place in it, at the moment of a picture that is still to come.
    /// - Parameters:
    ///   - position: seconds.
    ///   - step: seconds from one picture to the next.
    /// - Returns: nil without music.
    func cueMusic(at position: Double, speed: Rational, step: Double) -> MusicCue? {
        guard settings.music != nil, let music else { return nil }
        let now = MonotonicTime.now
        let last = camera?.feed.lastPictureTime ?? now
        let steps = (((now - last) + music.latency) / step).rounded(.up)
        let cue = MusicCue(start: last + steps * step, position: position, rate: 1 / speed.doubleValue)
        music.play(cue)
        return cue
    }

    // MARK: After a failure

    /// Opens again what went away.
    /// - Throws: `EditorError` that names the device.
    func reopenWhatIsGone() throws {
        if let camera, camera.isStalled {
            throw EditorError(
                .unavailable,
                "the \(camera.label) still gives no pictures; unplug it and plug it in again, or flip to the other one")
        }
        // The one that went away, and not another in its place.
        if camera == nil, let entry { try openCamera(entry) }
        if microphone == nil, settings.microphone != nil { try openMicrophone() }
    }
}

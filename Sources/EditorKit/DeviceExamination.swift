internal import EditorCapture
internal import EditorCore

/// Cameras with what they can do, and microphones.
extension Doctor {
    static func recordingDevices() -> [Result] { cameras() + microphones() }

    private static func cameras() -> [Result] {
        let denied = CameraCatalog.unreadable().map { path, reason in
            Result(
                subject: "camera \(path)", verdict: .warn, message: "cannot be opened: \(reason)",
                fix: "sudo usermod -aG video $USER, then log in anew")
        }
        let found = CameraCatalog.entries().map { entry in
            do {
                let device = try CameraDevice(path: entry.path)
                return Result(
                    subject: "camera \(entry.path)", verdict: device.modes.isEmpty ? .warn : .ok,
                    message:
                        "\(device.name), \(entry.position.rawValue); \(modes(device.modes)); \(controls(device.controls))",
                    fix: device.modes.isEmpty ? "none of its formats can be recorded; choose another camera" : nil)
            } catch {
                return Result(
                    subject: "camera \(entry.path)", verdict: .warn,
                    message: (error as? EditorError)?.message ?? "\(error)", fix: nil)
            }
        }
        if denied.isEmpty, found.isEmpty {
            return [
                Result(
                    subject: "camera", verdict: .warn, message: "none found",
                    fix: "plug one in; only recording needs it")
            ]
        }
        return found + denied
    }

    /// Each format with its sizes and its fastest rate.
    private static func modes(_ modes: [CameraMode]) -> String {
        CameraPixelFormat.allCases.compactMap { format -> String? in
            let own = modes.filter { $0.pixelFormat == format }
            guard !own.isEmpty else { return nil }
            var sizes: [PixelSize] = []
            for mode in own where !sizes.contains(mode.size) { sizes.append(mode.size) }
            let words = sizes.map { size in
                let fastest = own.filter { $0.size == size }.map(\.rate.doubleValue).max() ?? 0
                return "\(size.width)x\(size.height)@\(JSONValue.number(fastest).text())"
            }
            return "\(format.rawValue) \(words.joined(separator: " "))"
        }.joined(separator: ", ")
    }

    private static func controls(_ controls: [CameraControl]) -> String {
        let words = controls.map { control in
            switch control.kind {
            case .integer: "\(control.name) \(control.minimum)…\(control.maximum)"
            case .menu:
                "\(control.name) (\(control.choices.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", ")))"
            case .boolean, .button, .other: control.name
            }
        }
        return words.isEmpty ? "no controls" : "controls: " + words.joined(separator: ", ")
    }

    private static func microphones() -> [Result] {
        let found = MicrophoneCatalog.entries()
        guard !found.isEmpty else {
            return [
                Result(
                    subject: "microphone", verdict: .warn, message: "none found",
                    fix: "plug one in; record --microphone none does without")
            ]
        }
        return found.map {
            Result(
                subject: "microphone \($0.name)", verdict: .ok,
                message: $0.description.isEmpty ? "there" : $0.description, fix: nil)
        }
    }
}

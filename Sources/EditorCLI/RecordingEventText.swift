internal import EditorCore
internal import EditorRecording

/// A session's events as JSON for programs and as words for people.
enum RecordingEventText {
    /// nil for warnings and errors, which `Terminal` tells as it tells all others.
    static func json(_ event: RecordingEvent) -> JSONValue? {
        switch event {
        case .state(let state): return ["event": "state", "state": .string(state.rawValue)]
        case .camera(let name, let position, let mode):
            return [
                "event": "camera", "name": .string(name), "position": .string(position.rawValue), "mode": .string(mode),
            ]
        case .microphone(let name): return ["event": "microphone", "name": name.map { .string($0) } ?? .null]
        case .progress(let progress):
            return [
                "event": "progress", "duration": .number(rounded(progress.duration)),
                "fraction": progress.fraction.map { .number(rounded($0)) } ?? .null,
                "secondsLeft": progress.secondsLeft.map { .number(rounded($0)) } ?? .null,
                "level": progress.level.map { .number(($0 * 10).rounded() / 10) } ?? .null,
                "marks": .array(progress.marks.map { .number(rounded($0)) }),
            ]
        case .segmentAdded(let segment):
            return [
                "event": "segment", "action": "added", "path": .string(segment.path),
                "duration": .number(segment.duration.seconds), "progress": .number(segment.progress),
                "durationWeight": .number(segment.durationWeight), "frames": .number(Double(segment.frameCount)),
                "held": .number(Double(segment.heldCount)), "lost": .number(Double(segment.lostCount)),
            ]
        case .segmentDeleted(let path):
            return ["event": "segment", "action": "deleted", "path": .string(path)]
        case .torch(let mode, let isLit):
            return ["event": "torch", "mode": .string(mode.rawValue), "lit": .bool(isLit)]
        case .zoom(let factor, let driver, let cropping):
            return [
                "event": "zoom", "factor": .number(factor), "byDriver": .number(driver),
                "byCropping": .number(rounded(cropping)),
            ]
        case .focusLocked(let isLocked): return ["event": "focus", "locked": .bool(isLocked)]
        case .exposureLocked(let isLocked): return ["event": "exposure", "locked": .bool(isLocked)]
        case .stabilised(let isOn): return ["event": "stabilisation", "on": .bool(isOn)]
        case .speed(let speed): return ["event": "speed", "speed": .number(speed.doubleValue)]
        case .countdown(let left): return ["event": "countdown", "seconds": .number(Double(left))]
        case .photo(let path): return ["event": "photo", "path": .string(path)]
        case .finding, .failure: return nil
        }
    }

    /// nil for what is told another way, or not at all.
    static func words(_ event: RecordingEvent) -> String? {
        switch event {
        case .state(let state): return state == .inProgress ? "recording" : nil
        case .camera(let name, let position, let mode): return "\(name), \(position.rawValue): \(mode)"
        case .microphone(let name): return name ?? "without sound"
        case .segmentAdded(let segment):
            let held = segment.heldCount > 0 ? ", \(segment.heldCount) held" : ""
            return "segment \(segment.path): \(segment.duration) s, \(segment.frameCount) pictures\(held)"
        case .segmentDeleted(let path): return "deleted \(path)"
        case .torch(let mode, let isLit): return "torch \(mode.rawValue)\(mode == .auto && isLit ? " (lit)" : "")"
        case .zoom(let factor, _, let cropping):
            return "zoom \(tenths(factor))\(cropping >= 1.05 ? " (\(tenths(cropping)) of it by cropping)" : "")"
        case .focusLocked(let isLocked): return "focus \(isLocked ? "locked" : "automatic")"
        case .exposureLocked(let isLocked): return "exposure \(isLocked ? "locked" : "automatic")"
        case .stabilised(let isOn): return "stabilisation \(isOn ? "on" : "off")"
        case .speed(let speed): return "speed \(speed.doubleValue)"
        case .countdown(let left): return left > 0 ? "\(left) …" : left == 0 ? "now" : "countdown stopped"
        case .photo(let path): return "photo \(path)"
        case .progress, .finding, .failure: return nil
        }
    }

    private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }

    static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}

public import EditorCore
internal import Glibc

/// The cameras that there are.
public enum CameraCatalog {
    public struct Entry: Sendable, Hashable {
        public var path: String
        public var name: String
        public var position: DevicePosition

        public init(path: String, name: String, position: DevicePosition) {
            (self.path, self.name, self.position) = (path, name, position)
        }

        /// What messages call it.
        public var label: String { CameraDevice.label(path: path, name: name) }
    }

    private static let numbers = 0..<64

    /// Cameras by number. One whose name says "front" looks at its user; where none says it, the second one does.
    public static func entries() -> [Entry] {
        var found: [Entry] = numbers.compactMap { number in
            let path = "/dev/video\(number)"
            guard access(path, F_OK) == 0, let name = CameraDevice.name(of: path) else { return nil }
            return Entry(path: path, name: name, position: .back)
        }
        for index in found.indices where found[index].name.lowercased().contains("front") {
            found[index].position = .front
        }
        if found.count > 1, !found.contains(where: { $0.position == .front }) { found[1].position = .front }
        return found
    }

    /// Devices that exist but may not be opened, with the reason.
    public static func unreadable() -> [(path: String, reason: String)] {
        numbers.compactMap { number in
            let path = "/dev/video\(number)"
            guard access(path, F_OK) == 0, access(path, R_OK | W_OK) != 0 else { return nil }
            return (path, String(cString: strerror(errno)))
        }
    }
}

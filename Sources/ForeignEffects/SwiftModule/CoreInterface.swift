internal import Glibc

/// The compiled interface of `EditorCore` that belongs to this program: modules are built against it.
public enum CoreInterface {
    private static let file = "EditorCore.swiftmodule"

    /// Where it is looked for: beside the program in a build folder, and where it is installed.
    public static var places: [String] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { bytes in
            readlink("/proc/self/exe", bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        let program = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        let folder = program.lastIndex(of: "/").map { String(program[..<$0]) } ?? "."
        return ["\(folder)/Modules", "\(folder)/../lib/editor"]
    }

    /// The folder that it lies in; nil when it is not there.
    public static var folder: String? { places.first { access("\($0)/\(file)", R_OK) == 0 } }

    /// Tells one interface from another: FNV-1a in 64 bits over its bytes. nil when it is not there.
    static let digest: String? = {
        guard let folder, let bytes = CacheFile.read("\(folder)/\(file)") else { return nil }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return String(hash, radix: 16)
    }()
}

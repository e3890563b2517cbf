internal import EditorCore
internal import Glibc

/// A library that is loaded when its work is wanted, so that programs which never want it start without it.
///
/// It stays loaded.
///
/// `@unchecked Sendable`: the handle is written once by `init`, and dlsym may be called from any thread.
struct DynamicLibrary: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - names: file names by which the loader may know it, best first.
    ///   - purpose: what needs it, as the error says it.
    ///   - package: the Debian package that has it.
    /// - Throws: `EditorError` `.unavailable` when there is none.
    init(_ names: [String], for purpose: String, package: String) throws {
        guard let handle = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
            throw EditorError(
                .unavailable, "\(purpose) needs \(names[0]), which is not installed (Debian: apt install \(package))")
        }
        self.handle = handle
    }

    /// The address of a function.
    /// - Throws: `EditorError` `.unavailable` when the library has no such function.
    func address(of name: String) throws -> UnsafeMutableRawPointer {
        guard let address = dlsym(handle, name) else {
            throw EditorError(.unavailable, "a library is too old: it has no \(name); update the system's packages")
        }
        return address
    }
}

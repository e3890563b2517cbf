internal import CForeign
public import EditorCore
internal import Glibc

/// The worker's side: the editor's executable, started with a hidden argument, that runs one foreign effect.
///
/// Before any foreign code is loaded the process gives up the network, starting programs, large files, and memory beyond
/// its limit. It writes nowhere but into the shared memory, the socket, and a log in memory.
public enum EffectWorker {
    static let argument = "effect-worker"
    private static let socket: Int32 = 3
    private static let memory: Int32 = 4
    /// Bytes that files may have which a module writes; its log is one.
    private static let fileLimit: UInt64 = 1 << 20

    /// Runs the worker if that is what the process was started for. To be called first in `main`; a program that calls
    /// it can run foreign effects in processes of their own.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the program.
    ///   - assets: makes what modules read files through: from the folder that paths are relative to, and the names that
    ///     stand for paths.
    /// - Returns: the exit code of the worker; nil when this is no worker.
    public static func runIfAsked(
        _ arguments: [String],
        assets: @escaping (_ folder: String, _ aliases: [AssetReference.Kind: [String: String]]) -> any AssetLoading
    ) -> Int32? {
        guard arguments.first == argument, arguments.count == 3, let limit = UInt64(arguments[1]),
            let shared = UInt64(arguments[2])
        else {
            WorkerProgram.useThisProgram()
            return nil
        }
        // The editor decides when it is over, also when the terminal sends an interrupt to everybody.
        signal(SIGINT, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        endWithEditor()
        let channel = WorkerChannel(socket: socket)
        if let problem = restrain(mebibytes: limit, shared: shared) {
            try? channel.send(.failed, Array(problem.utf8))
            return 1
        }
        guard (try? channel.send(.ready)) != nil else { return 0 }
        let desk = WorkerDesk(memory: memory, assets: assets)
        var request: [UInt8] = []
        while let message = try? channel.receive(into: &request, within: nil) {
            do {
                let answer = try desk.answer(message, request)
                guard (try? channel.send(.done, answer)) != nil else { return 0 }
            } catch {
                let text = error is ModuleFailure ? "\(error)" : "failed with \"\(error)\""
                guard (try? channel.send(.failed, Array(text.utf8))) != nil else { return 0 }
            }
        }
        return 0
    }

    /// A thread ends the process as soon as the editor is gone, whatever the module does.
    private static func endWithEditor() {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                // POLLRDHUP, which the header has for GNU sources only.
                var descriptor = pollfd(fd: EffectWorker.socket, events: 0x2000, revents: 0)
                while poll(&descriptor, 1, -1) < 0, errno == EINTR {}
                _exit(0)
            }, nil)
    }

    /// - Returns: what could not be done.
    private static func restrain(mebibytes: UInt64, shared: UInt64) -> String? {
        _ = editor_forbid_core_files()
        _ = editor_limit_file_size(fileLimit)
        guard let file = fopen("/proc/self/statm", "r") else { return "/proc/self/statm cannot be read" }
        var pages: UInt64 = 0
        let isRead = withUnsafeMutablePointer(to: &pages) { withVaList([$0]) { vfscanf(file, "%lu", $0) } } == 1
        fclose(file)
        let used = pages * UInt64(SharedPictures.pageSize)
        guard isRead, editor_limit_memory(used + shared + mebibytes << 20) == 0 else {
            return "its memory cannot be limited: \(String(cString: strerror(errno)))"
        }
        guard editor_forbid_network() == 0 else {
            return "it cannot be kept from the network: \(String(cString: strerror(errno)))"
        }
        return nil
    }
}

/// Answers the editor's requests with whatever was opened.
final class WorkerDesk {
    private let memory: Int32
    private let assets: (String, [AssetReference.Kind: [String: String]]) -> any AssetLoading
    private var open: (any WorkerGuest)?

    init(memory: Int32, assets: @escaping (String, [AssetReference.Kind: [String: String]]) -> any AssetLoading) {
        (self.memory, self.assets) = (memory, assets)
    }

    func answer(_ message: WorkerMessage, _ request: [UInt8]) throws -> [UInt8] {
        var reader = PayloadReader(request)
        switch message {
        case .examine: return Array(try PluginExamination.answer(&reader).text().utf8)
        case .openFrei0r: open = try Frei0rGuest(&reader, memory: memory)
        case .openLadspa: open = try LadspaGuest(&reader, memory: memory)
        case .describeModule:
            let path = String(decoding: request, as: UTF8.self)
            let module = try SwiftModuleLibrary.module(of: path)
            let json: JSONValue = [
                "name": .string(module.name), "effects": .array(module.effects.map(\.manifestEntry)),
            ]
            return Array(json.text().utf8)
        case .readModule: return Array(try ModuleOpening(try Self.json(request)).reading.text().utf8)
        case .openModule:
            let guest = try ModuleGuest(try Self.json(request), memory: memory, assets: assets)
            open = guest
            return Array(guest.introduction.text().utf8)
        default:
            guard let open else { throw ModuleFailure("was asked to work before it was opened") }
            return try open.answer(message, &reader)
        }
        return []
    }

    private static func json(_ request: [UInt8]) throws -> JSONValue {
        guard let json = try? ConfigurationDocument.parse(utf8: request, name: "request") else {
            throw ModuleFailure("was asked with garbage")
        }
        return json
    }
}

/// A plugin at work in the worker.
protocol WorkerGuest: AnyObject {
    func answer(_ message: WorkerMessage, _ request: inout PayloadReader) throws -> [UInt8]
}

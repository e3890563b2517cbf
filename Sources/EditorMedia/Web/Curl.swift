internal import CCurl
internal import EditorCore
internal import Glibc

/// libcurl's functions, found when the first file is fetched.
struct Curl: Sendable {
    private typealias GlobalInit = @convention(c) (Int) -> CURLcode
    private typealias Init = @convention(c) () -> UnsafeMutableRawPointer?
    private typealias Perform = @convention(c) (UnsafeMutableRawPointer?) -> CURLcode
    private typealias Cleanup = @convention(c) (UnsafeMutableRawPointer?) -> Void
    private typealias Words = @convention(c) (CURLcode) -> UnsafePointer<CChar>?
    private typealias Append =
        @convention(c) (UnsafeMutablePointer<curl_slist>?, UnsafePointer<CChar>?) ->
        UnsafeMutablePointer<curl_slist>?
    private typealias Free = @convention(c) (UnsafeMutablePointer<curl_slist>?) -> Void

    private let library: DynamicLibrary

    private static let shared = Result { try Curl(loading: ()) }

    /// - Throws: `EditorError` `.unavailable` when there is no libcurl.
    static func load() throws -> Curl { try shared.get() }

    private init(loading: Void) throws {
        library = try DynamicLibrary(
            ["libcurl.so.4", "libcurl-gnutls.so.4"], for: "fetching files from the web", package: "libcurl4")
        let start = unsafeBitCast(try library.address(of: "curl_global_init"), to: GlobalInit.self)
        guard start(editor_CURL_GLOBAL_DEFAULT) == CURLE_OK else {
            throw EditorError(.unavailable, "curl_global_init failed: memory is short")
        }
    }

    /// One transfer over HTTP, on the calling thread, until all of the body was given out.
    final class Request {
        struct Limits {
            var connectTimeout: Int
            var stallTimeout: Int
            var timeout: Double
            var redirects: Int
            /// Bytes that an answer may announce.
            var size: Int
            /// Says which addresses may be connected to, and then without a proxy in between; nil is any.
            var permits: ((NetworkAddress) -> Bool)?
        }

        /// How a transfer ended.
        enum Outcome {
            case done
            /// `onBody` or `onProgress` stopped it.
            case stopped
            case refused(NetworkAddress)
            case failed(CURLcode, String)
        }

        private let curl: Curl
        private let handle: UnsafeMutableRawPointer
        private var headers: UnsafeMutablePointer<curl_slist>?
        private let setOption: UnsafeMutableRawPointer
        private let permits: ((NetworkAddress) -> Bool)?
        private var refused: NetworkAddress?

        /// Takes a line of the answer's head; those of redirects come, too, each head beginning with its status line.
        var onHeader: (String) -> Void = { _ in }
        /// Takes some of the body; false stops the transfer.
        var onBody: (UnsafeRawBufferPointer) -> Bool = { _ in true }
        /// Called several times a second; false stops the transfer.
        var onProgress: () -> Bool = { true }

        init(_ curl: Curl, address: String, headers lines: [String], limits: Limits) throws {
            self.curl = curl
            permits = limits.permits
            let make = unsafeBitCast(try curl.library.address(of: "curl_easy_init"), to: Init.self)
            setOption = try curl.library.address(of: "curl_easy_setopt")
            guard let handle = make() else { throw EditorError(.ioFailed, "curl_easy_init failed: memory is short") }
            self.handle = handle
            let append = unsafeBitCast(try curl.library.address(of: "curl_slist_append"), to: Append.self)
            for line in lines { headers = append(headers, line) ?? headers }
            try set(limits, address: address)
        }

        deinit {
            if let free = try? curl.library.address(of: "curl_slist_free_all") {
                unsafeBitCast(free, to: Free.self)(headers)
            }
            if let cleanup = try? curl.library.address(of: "curl_easy_cleanup") {
                unsafeBitCast(cleanup, to: Cleanup.self)(handle)
            }
        }

        private func set(_ limits: Limits, address: String) throws {
            let numbers: [(CURLoption, Int)] = [
                (CURLOPT_NOSIGNAL, 1), (CURLOPT_NOPROGRESS, 0), (CURLOPT_FOLLOWLOCATION, 1),
                (CURLOPT_MAXREDIRS, limits.redirects), (CURLOPT_CONNECTTIMEOUT, limits.connectTimeout),
                (CURLOPT_LOW_SPEED_LIMIT, 1), (CURLOPT_LOW_SPEED_TIME, limits.stallTimeout),
                (CURLOPT_TIMEOUT_MS, Int(limits.timeout * 1000)),
            ]
            for (option, value) in numbers { try check(editor_curl_set_long(setOption, handle, option, value)) }
            try check(
                editor_curl_set_large(setOption, handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limits.size)))
            // Whatever a redirect says, it stays with HTTP.
            var words: [(CURLoption, String)] = [
                (CURLOPT_URL, address), (CURLOPT_PROTOCOLS_STR, "http,https"),
                (CURLOPT_REDIR_PROTOCOLS_STR, "http,https"), (CURLOPT_USERAGENT, "editor"),
            ]
            // A proxy would look up names by itself, and its address would be the only one seen here.
            if limits.permits != nil { words.append((CURLOPT_PROXY, "")) }
            for (option, text) in words {
                try check(text.withCString { editor_curl_set_pointer(setOption, handle, option, $0) })
            }
            try check(editor_curl_set_pointer(setOption, handle, CURLOPT_HTTPHEADER, headers))
        }

        private func check(_ code: CURLcode) throws {
            guard code != CURLE_OK else { return }
            throw EditorError(.unavailable, "curl_easy_setopt failed: \(words(code)); update the system's packages")
        }

        private func words(_ code: CURLcode) -> String {
            guard let function = try? curl.library.address(of: "curl_easy_strerror"),
                let text = unsafeBitCast(function, to: Words.self)(code)
            else { return "error \(code.rawValue)" }
            return String(cString: text)
        }

        func perform() throws -> Outcome {
            let perform = unsafeBitCast(try curl.library.address(of: "curl_easy_perform"), to: Perform.self)
            // The callbacks run within `perform`, so the reference need not be kept alive beyond it.
            let context = Unmanaged.passUnretained(self).toOpaque()
            for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA, CURLOPT_OPENSOCKETDATA] {
                try check(editor_curl_set_pointer(setOption, handle, option, context))
            }
            try check(
                editor_curl_set_write(setOption, handle) { bytes, size, count, context in
                    let length = size * count
                    let isWanted = Request.from(context).onBody(UnsafeRawBufferPointer(start: bytes, count: length))
                    return isWanted ? length : 0
                })
            try check(
                editor_curl_set_header(setOption, handle) { bytes, size, count, context in
                    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                    Request.from(context).onHeader(String(decoding: line, as: UTF8.self))
                    return size * count
                })
            try check(
                editor_curl_set_progress(setOption, handle) { context, _, _, _, _ in
                    Request.from(context).onProgress() ? 0 : 1
                })
            try check(
                editor_curl_set_socket(setOption, handle) { context, _, address in
                    Request.from(context).openSocket(address)
                })
            let code = perform(handle)
            if let refused { return .refused(refused) }
            switch code {
            case CURLE_OK: return .done
            case CURLE_WRITE_ERROR, CURLE_ABORTED_BY_CALLBACK: return .stopped
            default: return .failed(code, words(code))
            }
        }

        private static func from(_ context: UnsafeMutableRawPointer?) -> Request {
            Unmanaged<Request>.fromOpaque(context!).takeUnretainedValue()
        }

        /// Every connection comes through here with the address that its name resolved to, those of redirects, too; so
        /// a name that resolves to something else the second time does not help.
        private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
            guard let address else { return curl_socket_t(-1) }
            if let permits {
                let start = UnsafeRawPointer(address) + MemoryLayout<curl_sockaddr>.offset(of: \.addr)!
                let target = NetworkAddress(socketAddress: start, length: Int(address.pointee.addrlen))
                guard let target, permits(target) else {
                    refused = target ?? NetworkAddress(bytes: [0, 0, 0, 0])
                    return curl_socket_t(-1)
                }
            }
            let (family, kind, proto) = (
                address.pointee.family, address.pointee.socktype, address.pointee.protocol
            )
            return socket(family, kind | Int32(SOCK_CLOEXEC.rawValue), proto)
        }
    }
}

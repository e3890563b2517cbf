internal import CCurl
internal import EditorCore
internal import Glibc

/// Fetches one file into a part file, and goes on there after an interruption.
///
/// What the part holds is only trusted when the server says that the file is still the same one: beside the part lies
/// the validator (ETag or Last-Modified) that it was fetched under. Belongs to one thread.
final class Download {
    private let address: WebAddress
    private let part: String
    private let note: String
    private let listener: WebListener
    private let deadline: ContinuousClock.Instant
    private let tell: (_ received: Int, _ total: Int?) -> Void

    // About the answer that is being read.
    private var status = 0
    private var headers: [String: String] = [:]
    private var hasBody = false
    private var failure: EditorError?

    private var descriptor: Int32 = -1
    private var received = 0
    private var total: Int?
    private var lastTold = ContinuousClock.now - .seconds(1)

    private static let connectTimeout = 15

    /// - Parameters:
    ///   - part: path of the part file; the note lies beside it.
    ///   - tell: takes the bytes that are there, and those that there will be, a few times a second.
    init(
        _ address: WebAddress, part: String, listener: WebListener,
        tell: @escaping (_ received: Int, _ total: Int?) -> Void
    ) {
        self.address = address
        self.part = part
        note = part + ".note"
        self.listener = listener
        self.tell = tell
        deadline = ContinuousClock.now + .seconds(listener.access.timeout)
    }

    /// Returns when the part is the whole file.
    /// - Throws: `EditorError` that names the address. What has come so far stays for the next time, if it can be used.
    func run() throws {
        let curl = try Curl.load()
        var attempt = 0
        while true {
            do {
                try fetch(curl)
                unlink(note)
                return
            } catch let interruption as Interruption {
                attempt += 1
                guard attempt <= listener.access.retries, ContinuousClock.now < deadline else {
                    throw unreachable(interruption.reason)
                }
                try pause(.milliseconds(250 << attempt))
            }
        }
    }

    /// A transfer that broke off and may be taken up again.
    private struct Interruption: Error { var reason: String }

    private func pause(_ duration: Duration) throws {
        let end = min(ContinuousClock.now + duration, deadline)
        while ContinuousClock.now < end {
            try listener.cancellation.check()
            usleep(20_000)
        }
    }

    private func fetch(_ curl: Curl) throws {
        descriptor = open(part, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw cannotWrite(errno) }
        defer { close(descriptor) }
        received = max(0, Int(lseek(descriptor, 0, SEEK_END)))
        var lines: [String] = []
        if received > 0, let bytes = try? FileBytes.read(note, limit: 4096) {
            let validator = String(decoding: bytes, as: UTF8.self)
            lines = ["Range: bytes=\(received)-", "If-Range: \(validator)"]
        } else {
            received = 0
        }
        (status, headers, hasBody, failure, total) = (0, [:], false, nil, nil)
        let access = listener.access
        let request = try Curl.Request(
            curl, address: address.text, headers: lines,
            limits: .init(
                connectTimeout: Self.connectTimeout, stallTimeout: max(1, Int(access.stallTimeout.rounded(.up))),
                timeout: max(0.001, (deadline - ContinuousClock.now) / .seconds(1)), redirects: access.redirectLimit,
                size: access.sizeLimit,
                permits: access.allowsPrivateAddresses ? nil : { $0.isPublic }))
        request.onHeader = { [unowned self] in takeHeader($0) }
        request.onBody = { [unowned self] in takeBody($0) }
        request.onProgress = { [unowned self] in !listener.cancellation.isCancelled }
        let outcome = try request.perform()
        try listener.cancellation.check()
        if let failure { throw failure }
        switch outcome {
        case .done: try finish()
        case .stopped: throw unreachable("the transfer was stopped")
        case .refused(let target):
            throw EditorError(
                .invalidData,
                "\(address.shown) leads to \(target), which is on this machine or a private network; such addresses are "
                    + "refused unless --allow-private-addresses is given")
        case .failed(let code, let words): throw error(code, words)
        }
    }

    private func finish() throws {
        // An answer without a body is looked at here for the first time.
        if !hasBody { _ = begin() }
        if let failure { throw failure }
        if let total, received != total {
            throw Interruption(reason: "it broke off after \(received) of \(total) bytes")
        }
        guard received > 0 else { throw unreachable("the server gave an empty file") }
        tell(received, received)
    }

    private func error(_ code: CURLcode, _ words: String) -> any Error {
        switch code {
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            Interruption(reason: "the connection broke off after \(received) bytes")
        case CURLE_OPERATION_TIMEDOUT:
            unreachable(
                ContinuousClock.now >= deadline
                    ? "it was not there after \(Self.seconds(listener.access.timeout)); --download-timeout allows more"
                    : hasBody
                        ? "nothing came for \(Self.seconds(listener.access.stallTimeout))"
                        : "the server does not answer")
        case CURLE_FILESIZE_EXCEEDED: tooLarge(nil)
        case CURLE_TOO_MANY_REDIRECTS:
            unreachable("it is sent on more than \(listener.access.redirectLimit) times")
        case CURLE_UNSUPPORTED_PROTOCOL: unreachable("it is sent on to an address that is neither http nor https")
        case CURLE_COULDNT_RESOLVE_HOST: unreachable("there is no server of that name; is this machine online?")
        case CURLE_COULDNT_CONNECT: unreachable("the server cannot be reached")
        default: unreachable(words)
        }
    }

    private static func seconds(_ seconds: Double) -> String { "\(JSONValue.number(seconds).text()) s" }

    private func unreachable(_ reason: String) -> EditorError {
        EditorError(.missingInput, "\(address.shown) could not be fetched: \(reason)")
    }

    private func cannotWrite(_ code: Int32) -> EditorError {
        EditorError(.ioFailed, "\(part) cannot be written: \(String(cString: strerror(code)))")
    }

    // MARK: The answer

    private func takeHeader(_ line: String) {
        if line.hasPrefix("HTTP/") {
            let words = line.split(separator: " ")
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
            headers = [:]
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        headers[line[..<colon].lowercased()] = String(value.prefix { !$0.isNewline })
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if !hasBody, !begin() { return false }
        guard received + bytes.count <= listener.access.sizeLimit else {
            failure = tooLarge(nil)
            return false
        }
        var written = 0
        while written < bytes.count, let start = bytes.baseAddress {
            let count = write(descriptor, start + written, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                failure = cannotWrite(errno)
                return false
            }
            written += count
        }
        received += bytes.count
        if ContinuousClock.now - lastTold > .milliseconds(200) {
            lastTold = .now
            tell(received, total)
        }
        return true
    }

    /// Looks at the head of the answer; false when its body is not wanted.
    private func begin() -> Bool {
        hasBody = true
        let length = headers["content-length"].flatMap { Int($0) }
        switch status {
        case 206 where received > 0 && rangeStart == received:
            total = length.map { received + $0 }
        case 200:
            received = 0
            total = length
            guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
                failure = cannotWrite(errno)
                return false
            }
        case 206, 416:
            // Not the piece that was asked for: the next attempt begins anew.
            unlink(note)
            failure = unreachable("the server answers with the wrong part of the file; try again")
            return false
        default:
            failure = unreachable("the server answers \(status)\(Self.words(status))")
            return false
        }
        if let total, total > listener.access.sizeLimit {
            failure = tooLarge(total)
            return false
        }
        remember()
        tell(received, total)
        return true
    }

    /// The first byte that the answer holds.
    private var rangeStart: Int? {
        guard let range = headers["content-range"], range.lowercased().hasPrefix("bytes ") else { return nil }
        return Int(range.dropFirst(6).prefix { $0.isNumber })
    }

    /// Notes what tells this file from another under the same address. Weak ETags do not promise the same bytes.
    private func remember() {
        let tag = headers["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 }
        guard let validator = tag ?? headers["last-modified"],
            (try? FileBytes.write(Array(validator.utf8), to: note)) != nil
        else {
            unlink(note)
            return
        }
    }

    private func tooLarge(_ bytes: Int?) -> EditorError {
        let limit = "\(listener.access.sizeLimit >> 20) MB"
        return EditorError(
            .invalidData,
            "\(address.shown) has \(bytes.map { "\($0 >> 20) MB" } ?? "more"), and files from the web may have \(limit); "
                + "--download-limit allows more")
    }

    private static func words(_ status: Int) -> String {
        switch status {
        case 401, 403: " (not allowed)"
        case 404, 410: " (there is no such file)"
        case 429: " (too many requests)"
        case 500...: " (the server is in trouble)"
        default: ""
        }
    }
}

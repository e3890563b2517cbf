internal import Glibc

/// What editor and worker say to each other. Both are one and the same executable, so numbers are in native form.
enum WorkerMessage: UInt32 {
    /// Worker to editor: it is ready, or the request was done, or it failed and the payload says how.
    case ready = 1
    case done
    case failed
    /// Editor to worker.
    case examine
    case openFrei0r
    case updateFrei0r
    case openLadspa
    case runLadspa
    case describeModule
    case readModule
    case openModule
    case runModule
    case restart
}

/// One end of the socket between editor and worker. Belongs to one thread.
final class WorkerChannel {
    enum Trouble: Error {
        /// The other end is gone.
        case closed
        case timedOut
        /// What came is no message.
        case garbage
    }

    private let socket: Int32
    private var outgoing: [UInt8] = []
    private static let magic: UInt32 = 0x4546_5831
    /// Nothing that is said is longer.
    private static let longest = 16 << 20

    /// Takes the socket over.
    init(socket: Int32) { self.socket = socket }

    deinit { close(socket) }

    func send(_ message: WorkerMessage, _ payload: [UInt8] = []) throws(Trouble) {
        outgoing.removeAll(keepingCapacity: true)
        for word in [Self.magic, message.rawValue, UInt32(payload.count)] {
            withUnsafeBytes(of: word) { outgoing.append(contentsOf: $0) }
        }
        outgoing.append(contentsOf: payload)
        var sent = 0
        while sent < outgoing.count {
            let count = outgoing.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .closed }
            sent += count
        }
    }

    /// - Parameters:
    ///   - payload: is replaced; keeps its memory.
    ///   - seconds: how long the message may take to come; nil is for ever.
    func receive(into payload: inout [UInt8], within seconds: Double?) throws(Trouble) -> WorkerMessage {
        let deadline = seconds.map { Self.now + $0 }
        payload.removeAll(keepingCapacity: true)
        var header: (UInt32, UInt32, UInt32) = (0, 0, 0)
        try withUnsafeMutablePointer(to: &header) { pointer throws(Trouble) in
            try fill(UnsafeMutableRawBufferPointer(start: pointer, count: 12), deadline)
        }
        guard header.0 == Self.magic, let message = WorkerMessage(rawValue: header.1), header.2 <= Self.longest else {
            throw .garbage
        }
        payload.append(contentsOf: repeatElement(0, count: Int(header.2)))
        try payload.withUnsafeMutableBufferPointer { bytes throws(Trouble) in
            try fill(UnsafeMutableRawBufferPointer(bytes), deadline)
        }
        return message
    }

    private func fill(_ bytes: UnsafeMutableRawBufferPointer, _ deadline: Double?) throws(Trouble) {
        var filled = 0
        while filled < bytes.count {
            if let deadline {
                var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
                let left = max(0, deadline - Self.now)
                let ready = poll(&descriptor, 1, Int32(min(1e9, (left * 1000).rounded(.up))))
                if ready < 0, errno == EINTR { continue }
                guard ready > 0 else { throw .timedOut }
            }
            let count = read(socket, bytes.baseAddress! + filled, bytes.count - filled)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .closed }
            filled += count
        }
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Numbers and texts one after another, as a payload.
struct PayloadWriter {
    private(set) var bytes: [UInt8] = []

    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    mutating func append(_ value: Int) { withUnsafeBytes(of: Int64(value)) { bytes.append(contentsOf: $0) } }
    mutating func append(_ value: Double) { withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) } }
    mutating func append(_ text: String) {
        append(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }
    mutating func append(_ values: [Double]) {
        append(values.count)
        for value in values { append(value) }
    }
}

/// Reads a payload. What is not there reads as 0 or nothing, and `isWhole` says so.
struct PayloadReader {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var isWhole = true

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func integer() -> Int { Int(truncatingIfNeeded: Int64(bitPattern: word())) }
    mutating func number() -> Double { Double(bitPattern: word()) }
    mutating func text() -> String {
        let count = integer()
        guard count >= 0, count <= bytes.count - position else {
            isWhole = false
            return ""
        }
        defer { position += count }
        return String(decoding: bytes[position..<position + count], as: UTF8.self)
    }
    mutating func numbers() -> [Double] {
        let count = integer()
        guard count >= 0, count <= (bytes.count - position) / 8 else {
            isWhole = false
            return []
        }
        return (0..<count).map { _ in number() }
    }

    private mutating func word() -> UInt64 {
        guard bytes.count - position >= 8 else {
            isWhole = false
            return 0
        }
        defer { position += 8 }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt64.self) }
    }
}

internal import CFFmpeg
internal import EditorCore

/// A failed libav call: its name, its code, and the last thing libav logged on this thread.
struct FFmpegError: Error, CustomStringConvertible {
    var code: Int32
    var function: String
    var lastLogLine: String?

    /// libav's words for the code, then the log line, which usually says more.
    var reason: String {
        var buffer = [CChar](repeating: 0, count: 256)
        av_strerror(code, &buffer, buffer.count)
        let words = String(decoding: buffer.prefix(while: { $0 != 0 }).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return lastLogLine.map { "\(words): \($0)" } ?? words
    }

    var description: String { "\(function): \(reason)" }
}

/// Throws when a libav call failed. Returns its result, for calls whose results are counts.
@discardableResult
func check(_ result: Int32, _ function: String) throws -> Int32 {
    guard result < 0 else { return result }
    throw FFmpegError(code: result, function: function, lastLogLine: FFmpegLog.takeLastLine())
}

/// For calls that return nil when memory is short.
func checkAllocated<T>(_ pointer: T?, _ function: String) throws -> T {
    guard let pointer else {
        throw FFmpegError(code: editor_AVERROR_ENOMEM, function: function, lastLogLine: nil)
    }
    return pointer
}

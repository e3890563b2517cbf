internal import CFFmpeg
internal import Synchronization

/// Keeps libav's log off the terminal and remembers the last error line, so that errors can tell it.
enum FFmpegLog {
    private static let lastLine = Mutex<String?>(nil)

    /// Installs the log callback once per process; every opener calls it first.
    static func install() { _ = installed }

    private static let installed: Void = {
        av_log_set_level(AV_LOG_ERROR)
        av_log_set_callback { context, level, format, arguments in
            guard level <= AV_LOG_ERROR, let format, let arguments else { return }
            var line = [CChar](repeating: 0, count: 512)
            var printPrefix: Int32 = 0
            av_log_format_line(context, level, format, arguments, &line, Int32(line.count), &printPrefix)
            let bytes = line.prefix(while: { $0 != 0 }).map { UInt8(bitPattern: $0) }
            var text = String(decoding: bytes, as: UTF8.self)
            while text.last?.isWhitespace == true { text.removeLast() }
            FFmpegLog.lastLine.withLock { $0 = text }
        }
    }()

    /// The last error line, once.
    static func takeLastLine() -> String? {
        lastLine.withLock { line in
            defer { line = nil }
            return line
        }
    }
}

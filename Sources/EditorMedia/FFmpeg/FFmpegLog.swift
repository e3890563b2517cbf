internal import CFFmpeg
internal import Glibc

/// Keeps libav's log off the terminal and remembers the last error line of each thread, so that errors can tell it; and
/// the last complaint of an encoder about its own options, which libav lets pass.
///
/// Nobody decodes or encodes two files in one call, so what a thread's last call said belongs to that call's file, as long
/// as older lines are forgotten first.
enum FFmpegLog {
    private final class Line {
        var text: String?
        var refusedOption: String?
    }

    /// One `Line` a thread; it goes with its thread.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { line in
            if let line { Unmanaged<Line>.fromOpaque(line).release() }
        }
        return key
    }()

    /// Installs the log callback once per process; every opener calls it first.
    static func install() { _ = installed }

    private static let installed: Void = {
        av_log_set_level(AV_LOG_ERROR)
        av_log_set_callback { context, level, format, arguments in
            guard level <= AV_LOG_WARNING, let format, let arguments else { return }
            var line = [CChar](repeating: 0, count: 512)
            var printPrefix: Int32 = 0
            av_log_format_line(context, level, format, arguments, &line, Int32(line.count), &printPrefix)
            let bytes = line.prefix(while: { $0 != 0 }).map { UInt8(bitPattern: $0) }
            var text = String(decoding: bytes, as: UTF8.self)
            while text.last?.isWhitespace == true { text.removeLast() }
            if level <= AV_LOG_ERROR { FFmpegLog.line().text = text }
            // libx264 and libx265 pass over what they do not know in x264-params and x265-params.
            if text.contains("Error parsing option") || text.contains("Unknown option")
                || text.contains("Invalid value for")
            {
                FFmpegLog.line().refusedOption = text
            }
        }
    }()

    /// This thread's.
    private static func line() -> Line {
        if let known = pthread_getspecific(key) { return Unmanaged<Line>.fromOpaque(known).takeUnretainedValue() }
        let line = Line()
        pthread_setspecific(key, Unmanaged.passRetained(line).toOpaque())
        return line
    }

    /// This thread's last error line, once.
    static func takeLastLine() -> String? {
        defer { line().text = nil }
        return line().text
    }

    /// What this thread's encoder said of an option that it does not take, since `forget`.
    static var refusedOption: String? { line().refusedOption }

    /// To be called before work on a file whose failure is told: what other files said is not its trouble.
    static func forget() {
        line().text = nil
        line().refusedOption = nil
    }
}

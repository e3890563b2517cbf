import Foundation
import Testing

/// A server of a test's own on this machine, with everything that servers do wrong. Ends with the object.
///
/// Addresses: `/tone.mp3` (with an ETag and ranges), `/plain.mp3` (neither), `/to/N` (N redirects to the tone), `/round`
/// (to itself), `/to-ftp`, `/slow.mp3` (half a second), `/stall.mp3` (half, then nothing), `/broken.mp3` (breaks off once,
/// goes on with a range), `/always-broken.mp3`, `/page.mp3` (a web page), `/noise.mp3` (no music), `/big.mp3` (says
/// 10 GB), `/endless.mp3` (does not say, and never ends), `/empty.mp3`, `/cover.png`; all else is not found.
final class WebServer {
    let port: Int
    private let process: Process
    private let log: String

    /// - Parameter workshop: holds `tone.mp3` and, if covers are wanted, `cover.png`.
    init(_ workshop: Workshop) throws {
        try workshop.write(Self.script, to: "tmp/server.py")
        log = workshop.path("tmp/requests")
        process = workshop.process("python3", [workshop.path("tmp/server.py"), workshop.folder, log])
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.start()
        // The first line is the port; it is there once the server listens.
        var text = Data()
        while !text.contains(UInt8(ascii: "\n")) {
            let more = pipe.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            text += more
        }
        port = try #require(Int(String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    // Children of a test may have inherited a blocked SIGTERM; nobody can block this one.
    deinit { kill(process.processIdentifier, SIGKILL) }

    func address(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    /// What was asked for so far: paths, with the range if there was one.
    var requests: [String] {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private static let script = """
        import http.server, os, socketserver, sys, threading, time
        folder, log = sys.argv[1], sys.argv[2]
        tone = open(folder + "/tone.mp3", "rb").read()
        broken = set()
        guard = threading.Lock()
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *arguments): pass
            def head(self, status, length=None, **headers):
                self.send_response(status)
                if length is not None: self.send_header("Content-Length", str(length))
                for name, value in headers.items(): self.send_header(name.replace("_", "-"), value)
                self.send_header("Connection", "close")
                self.end_headers()
                self.close_connection = True
            def give(self, body, **headers):
                self.head(200, len(body), **headers)
                self.wfile.write(body)
            def ranged(self, body, tag, upto=None):
                wanted = self.headers.get("Range")
                if wanted and self.headers.get("If-Range") == tag:
                    first = int(wanted[6:].split("-")[0])
                    self.head(206, len(body) - first, ETag=tag, Content_Range="bytes %d-%d/%d" % (first, len(body) - 1, len(body)))
                    self.wfile.write(body[first:])
                else:
                    self.head(200, len(body), ETag=tag, Accept_Ranges="bytes")
                    self.wfile.write(body[:upto])
            def do_GET(self):
                path = self.path[1:].split("?")[0]
                with guard:
                    with open(log, "a") as file: file.write(path + (" " + self.headers["Range"] if self.headers.get("Range") else "") + "\\n")
                half = len(tone) // 2
                try:
                    if path == "tone.mp3": self.ranged(tone, '"one"')
                    elif path == "plain.mp3": self.give(tone)
                    elif path.startswith("to/"):
                        left = int(path[3:])
                        self.head(302, 0, Location="/tone.mp3" if left == 1 else "/to/%d" % (left - 1))
                    elif path == "round": self.head(302, 0, Location="/round")
                    elif path == "to-ftp": self.head(302, 0, Location="ftp://127.0.0.1/tone.mp3")
                    elif path == "to-file": self.head(302, 0, Location="file:///etc/passwd")
                    elif path == "slow.mp3":
                        self.head(200, len(tone), ETag='"slow"')
                        for i in range(10):
                            self.wfile.write(tone[len(tone) * i // 10:len(tone) * (i + 1) // 10])
                            self.wfile.flush()
                            time.sleep(0.05)
                    elif path == "stall.mp3":
                        self.head(200, len(tone), ETag='"stall"')
                        self.wfile.write(tone[:half])
                        self.wfile.flush()
                        time.sleep(60)
                    elif path == "broken.mp3":
                        with guard:
                            first = path not in broken
                            broken.add(path)
                        self.ranged(tone, '"broken"', half if first else None)
                    elif path == "changed.mp3":
                        with guard:
                            first = path not in broken
                            broken.add(path)
                        # Other bytes under another tag the second time.
                        if first: self.ranged(bytes(len(tone)), '"old"', half)
                        else: self.ranged(tone, '"new"')
                    elif path == "always-broken.mp3":
                        self.head(200, len(tone))
                        self.wfile.write(tone[:half])
                    elif path == "page.mp3": self.give(b"<!DOCTYPE html><html><body>sign in first</body></html>", Content_Type="text/html")
                    elif path == "noise.mp3": self.give(bytes(range(7, 250)) * 50, Content_Type="audio/mpeg")
                    elif path == "big.mp3": self.head(200, 10 ** 10)
                    elif path == "endless.mp3":
                        self.head(200)
                        while True: self.wfile.write(tone)
                    elif path == "empty.mp3": self.give(b"")
                    elif path == "cover.png": self.give(open(folder + "/cover.png", "rb").read())
                    else: self.give(b"no such file") if path == "" else self.head(404, 0)
                except (BrokenPipeError, ConnectionResetError): pass
        class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
            daemon_threads = True
        server = Server(("127.0.0.1", 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """
}

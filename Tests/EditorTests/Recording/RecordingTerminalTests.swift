import EditorCore
import Foundation
import Testing

/// `record` in a terminal: keys, the line with its bar, and the terminal as it was before.
@Suite(.serialized, .enabled(if: CameraRig.isAvailable, CameraRig.reason)) struct RecordingTerminalTests {
    let workshop: Workshop
    let rig: CameraRig

    init() throws {
        workshop = try Workshop()
        rig = CameraRig(workshop: workshop)
        try workshop.write(config: [
            "renderSize": ["width": 320, "height": 240], "maxVideoDuration": 10, "tintColor": "0a141e",
            "progressColor": "28323c",
        ])
    }

    /// Runs `record` in a pseudo-terminal. In `keys`, `key K TEXT [COUNT]` presses a key and waits until the screen has had
    /// that many of a text, `is TEXT` until the list of sessions has one.
    private func run(_ keys: String, columns: Int, options: String = "") throws -> (
        result: CameraRig.Result, screen: String
    ) {
        let result = try rig.run(
            """
            said() { for i in $(seq 1000); do [ "$(grep -ao -- "$1" screen | wc -l)" -ge "${2:-1}" ] && return 0; sleep 0.02; done; echo "no $1" >&2; return 1; }
            key() { printf %s "$1"; said "$2" "${3:-1}"; }
            is() { for i in $(seq 500); do "$EDITOR" record --list 2>/dev/null | grep -q "$1" && return 0; sleep 0.02; done; echo "not $1" >&2; return 1; }
            : >screen
            {
              said 'Back Camera'; is 'idle  0'
            \(keys)
              said 'exit [0-9]' || printf 'q\\003\\003'
            } | script -qefc 'trap : INT; stty cols \(columns); stty -a >before; "$EDITOR" --config cfg.json record --size 320x240 \(options); echo "exit $?"; stty -a >after' screen >/dev/null
            """)
        return (result, try text("screen"))
    }

    /// The widths of the lines with a bar.
    private func widths(_ screen: String) -> [Int] {
        screen.split(whereSeparator: { $0 == "\r" || $0 == "\n" || $0 == "\r\n" }).filter { $0.contains("░") }
            .map { $0.replacing(/\u{1b}\[[0-9;]*[mK]/, with: "").count }
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: workshop.path(name), encoding: .utf8)
    }

    @Test func everyKeyDoesItsOwn() throws {
        let (result, screen) = try run(
            """
              printf ' '; is 'inProgress  0'; sleep 0.6; printf ' '; is 'pause  1'; said '●'; said '┃'
              key t 'torch on'; cat "$VCAM_CTL/ctl0" >lit; key t 'torch off'
              key + 'zoom 1.3'; key - 'zoom 1.0'
              key e 'exposure locked'; key e 'exposure automatic'; key p 'focus locked'; key p 'focus automatic'
              key 0 'speed 0.5'; key 2 'speed 2'; key 1 'speed 1'
              key f 'Front Camera'; key f 'Back Camera' 2
              key c '2 …'; key ' ' 'countdown stopped'
              key d 'deleted /'; is 'idle  0'
              for n in 1 2; do printf ' '; is inProgress; sleep 0.5; printf ' '; is "pause  $n"; done
              key D 'deleted /' 3; is 'idle  0'
              printf ' '; is 'inProgress  0'; sleep 0.7; printf ' '; is 'pause  1'
              printf '\\r'
            """, columns: 100, options: "--output movie.mp4")
        #expect(result.status == 0 && screen.contains("exit 0"), "\(result.log) \(screen.suffix(2000))")
        #expect(try rig.state("lit")["LED Mode"] == 2)
        let frames = try workshop.probe("movie.mp4", "-count_frames", "-show_streams").number(
            "streams.0.nb_read_frames")
        #expect((12...60).contains(frames ?? 0), "the one segment that was left: \(frames ?? 0)")
        // The bar: the config's colours, the seconds, what is left.
        #expect(screen.contains("\u{1b}[38;2;10;20;30m┃") && screen.contains("\u{1b}[38;2;40;50;60m█"))
        let left = screen.matches(of: /([0-9.]+) s, ([0-9.]+) s left/).compactMap { match in
            Double(match.1).flatMap { done in Double(match.2).map { done + $0 } }
        }
        #expect(!left.isEmpty && left.allSatisfy { abs($0 - 10) < 0.11 }, "together they are the longest recording")
        let widths = widths(screen)
        #expect(!widths.isEmpty && widths.allSatisfy { $0 < 100 }, "\(widths.max() ?? 0)")
    }

    /// `q` keeps the session; the terminal is as it was, after an interruption too. No line is longer than a narrow
    /// terminal.
    @Test func theTerminalIsGivenBack() throws {
        let segment = "printf ' '; is 'inProgress  0'; sleep 0.6; printf ' '; is 'pause  1'"
        let left = try run("\(segment); printf q", columns: 30)
        #expect(
            left.screen.contains("record --resume") && left.screen.contains("exit 0"), "\(left.screen.suffix(1500))")
        #expect(try text("before") == text("after"))
        let widths = widths(left.screen)
        #expect(!widths.isEmpty && widths.allSatisfy { $0 < 30 }, "\(widths.max() ?? 0)")
        let interrupted = try run("\(segment); printf '\\003'", columns: 100)
        #expect(interrupted.screen.contains("cancelled; the session is kept"), "\(interrupted.screen.suffix(1500))")
        #expect(interrupted.screen.contains("exit 130"))
        #expect(try text("before") == text("after") && text("after").contains(" icanon"))
        #expect(try workshop.editor("record", "--list", "--json").json.at("1.segments.0") != nil)
    }
}

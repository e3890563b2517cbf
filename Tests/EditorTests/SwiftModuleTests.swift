import EditorCore
import Foundation
import Testing

/// Swift modules in files of their own: made, built, checked, used, refused.
@Suite(.serialized) struct SwiftModuleTests {
    /// The folder of the toolchain that the tests were built with, in front of the search path.
    private static let environment: [String: String] = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return ["PATH": path + ":/opt/swift/usr/bin:/usr/share/swift/usr/bin:/usr/local/swift/usr/bin"]
    }()

    private func editor(_ workshop: Workshop, _ arguments: String...) throws -> Workshop.Output {
        try workshop.run(Workshop.editor, arguments, environment: Self.environment)
    }

    /// From the skeleton to the contract, for each kind.
    @Test(arguments: ["video", "overlay", "audio", "transition"])
    func aSkeletonIsBuiltAndKeepsTheContract(kind: String) throws {
        let workshop = try Workshop()
        #expect(try editor(workshop, "effects", "new", "Shine", "--kind", kind).status == 0)
        let built = try editor(workshop, "effects", "build", "Shine")
        #expect(built.status == 0, "\(built.err)")
        #expect(built.out == "effects/libShine.so\neffects/Shine.effects.json\n")
        let list = try editor(workshop, "effects", "list")
        #expect(list.out.contains(/shine +\w+ +shine +swift/), "\(list.out)")
        let checked = try editor(workshop, "effects", "check", "shine")
        #expect(checked.status == 0 && checked.out.contains("ok"), "\(checked.out)\(checked.err)")
    }

    /// A skeleton that cannot be written whole leaves nothing: here no file may be longer than a kilobyte.
    @Test func aSkeletonThatFailsLeavesNothing() throws {
        let workshop = try Workshop()
        let result = try workshop.run("prlimit", ["--fsize=1000", Workshop.editor, "effects", "new", "Shine"])
        #expect(result.status == 73, "\(result.err)")
        #expect(workshop.files.isEmpty, "\(workshop.files)")
    }

    @Test func modulesWorkBreakAndAreRefused() throws {
        let workshop = try Workshop()
        for folder in ["Odd/Sources/Odd"] {
            try FileManager.default.createDirectory(atPath: workshop.path(folder), withIntermediateDirectories: true)
        }
        try workshop.write("// swift-tools-version: 6.2\n", to: "Odd/Package.swift")
        try FileManager.default.copyItem(
            atPath: Workshop.checkout + "/Tests/EditorTests/Fixtures/Odd.swift",
            toPath: workshop.path("Odd/Sources/Odd/Odd.swift"))
        let built = try editor(workshop, "effects", "build", "Odd", "--output", "modules")
        try #require(built.status == 0, "\(built.err)")

        try workshop.makeColor("clip.mov", "0x808080", seconds: 0.4)
        func render(_ effect: [String: JSONValue], _ name: String) throws -> Workshop.Output {
            var members: [String: JSONValue] = ["type": "odd"]
            members.merge(effect) { $1 }
            try workshop.write(config: [
                "assetArray": ["clip.mov"], "effectModules": ["modules/libOdd.so"], "effects": [.object(members)],
            ])
            return try editor(workshop, "--config", "cfg.json", "run", "--output", name, "--progress", "none")
        }

        // Grey 128 of 255 has luma 126.
        for isolate in [true, false] {
            let name = "well-\(isolate).mp4"
            let result = try render(["isolate": .bool(isolate), "amount": 20], name)
            #expect(result.status == 0, "\(result.err)")
            #expect(try workshop.lumas(name).allSatisfy { abs($0 - 106) < 1.5 })
        }

        // Its own declarations refuse what they do not allow.
        let wrong = try render(["amount": 21], "wrong.mp4")
        #expect(wrong.status == 65 && wrong.err.contains("/effects/0/amount"), "\(wrong.err)")

        let faults = [
            ("throw", "Tired"), ("trap", "too odd to go on"), ("size", "8×8"), ("stray", "crashed"),
        ]
        for (fault, sign) in faults {
            let result = try render(["fault": .string(fault)], "\(fault).mp4")
            #expect(result.status == 69, "\(fault): \(result.err)")
            #expect(result.err.contains("odd") && result.err.contains("frame 2"), "\(fault): \(result.err)")
            #expect(result.err.contains(sign), "\(fault): \(result.err)")
            #expect(!workshop.exists("\(fault).mp4"))
        }
        let skipped = try render(["fault": "trap", "onFailure": "skip"], "skipped.mp4")
        #expect(skipped.status == 0 && skipped.err.contains("warning"), "\(skipped.err)")
        let lumas = try workshop.lumas("skipped.mp4")
        #expect(lumas.count == 12 && abs(lumas[0] - 116) < 1.5 && abs(lumas[5] - 126) < 1.5, "\(lumas)")

        // Another compiler, another interface.
        let manifest = try String(contentsOfFile: workshop.path("modules/Odd.effects.json"), encoding: .utf8)
        let others = [
            (manifest.replacing(/"compiler": "[^"]*"/, with: "\"compiler\": \"clang 1\""), "another compiler"),
            (manifest.replacing(/"interface": \d+/, with: "\"interface\": 99"), "version 99"),
            (manifest.replacing(/"core": "[^"]*"/, with: "\"core\": \"0\""), "another EditorCore"),
        ]
        for (text, sign) in others {
            #expect(text != manifest)
            try workshop.write(text, to: "modules/Odd.effects.json")
            let result = try render([:], "refused.mp4")
            #expect(result.status == 69, "\(result.err)")
            #expect(result.err.contains(sign) && result.err.contains("effects build"), "\(result.err)")
        }
    }
}

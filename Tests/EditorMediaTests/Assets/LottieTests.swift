import EditorCore
import EditorMedia
import Foundation
import Testing

/// Lottie documents that are written here, so what they show is known.
@Suite struct LottieTests {
    /// A red square of half opacity, 20 wide, on a canvas of 100 × 50, whose left edge is at picture `n` of 60 at `n`.
    static func square(rate: Double = 30, extra: String = "", assets: String = "[]") -> String {
        """
        {"v":"5.5.2","fr":\(rate),"ip":0,"op":60,"w":100,"h":50,"nm":"square","ddd":0,"assets":\(assets),"layers":[
        {"ddd":0,"ind":1,"ty":4,"nm":"l","sr":1,"ks":{"o":{"a":0,"k":50},"r":{"a":0,"k":0},"p":{"a":1,"k":[
        {"i":{"x":[1],"y":[1]},"o":{"x":[0],"y":[0]},"t":0,"s":[10,25,0],"e":[70,25,0]},{"t":60,"s":[70,25,0]}]},
        "a":{"a":0,"k":[0,0,0]},"s":{"a":0,"k":[100,100,100]}},"ao":0,"shapes":[{"ty":"gr","it":[
        {"ty":"rc","d":1,"s":{"a":0,"k":[20,20]},"p":{"a":0,"k":[0,0]},"r":{"a":0,"k":0}},
        {"ty":"fl","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100},"r":1},\(extra)
        {"ty":"tr","p":{"a":0,"k":[0,0]},"a":{"a":0,"k":[0,0]},"s":{"a":0,"k":[100,100]},"r":{"a":0,"k":0},
        "o":{"a":0,"k":100}}]}],"ip":0,"op":60,"st":0,"bm":0}]}
        """
    }

    /// gzip (RFC 1952) by the tool.
    static func gzip(_ folder: AssetFolder, _ name: String, as target: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "gzip -9 -n -c \"$0\" > \"$1\"", folder.file(name), folder.file(target)]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test(arguments: ["a.json", "a.tgs"]) func `pictures, alpha and times`(name: String) throws {
        let folder = try AssetFolder()
        try folder.write(Array(Self.square().utf8), "a.json")
        try Self.gzip(folder, "a.json", as: "a.tgs")
        let image = try folder.image(name)
        #expect(image.size == PixelSize(width: 100, height: 50))
        #expect(image.frames.count == 60 && image.frames.allSatisfy { $0.duration == 1.0 / 30 })
        for n in [0, 1, 17, 42, 59] {
            let picture = image.frames[n].picture
            // Half of red, premultiplied.
            for (x, isInside) in [(n - 1, false), (n, true), (n + 19, true), (n + 20, false)] where x >= 0 {
                #expect(
                    isClose(picture.pixel(x, 25), isInside ? [127, 0, 0, 127] : [0, 0, 0, 0]), "picture \(n) at \(x)")
            }
            #expect(picture.pixel(n + 10, 10) == [0, 0, 0, 0])
        }
    }

    @Test func `drawn as wide as it is wanted`() throws {
        let folder = try AssetFolder()
        try folder.write(Array(Self.square(rate: 29.97).utf8), "a.json")
        let image = try folder.image("a.json", width: 300)
        let picture = image.frames[10].picture
        #expect(picture.width == 300 && picture.height == 150 && image.size == PixelSize(width: 100, height: 50))
        #expect(isClose(picture.pixel(31, 75), [127, 0, 0, 127]) && picture.pixel(28, 75) == [0, 0, 0, 0])
        #expect(image.frames[0].duration == 1 / 29.97)
    }

    /// What a picture shows does not depend on those drawn before it, nor on the thread.
    @Test func `any order and many threads give the same pictures`() async throws {
        let folder = try AssetFolder()
        try folder.write(Array(Self.square().utf8), "a.json")
        let forwards = try folder.image("a.json").frames.map(\.picture.pixels)
        let other = FileAssetLoader(baseDirectory: folder.path)
        let image = try other.image(AssetReference(path: "a.json", kind: .image), width: nil)
        let same = await withTaskGroup(of: Bool.self) { group in
            for start in 0..<4 {
                group.addTask {
                    stride(from: 59 - start, through: 0, by: -4).allSatisfy {
                        image.frames[$0].picture.pixels == forwards[$0]
                    }
                }
            }
            return await group.allSatisfy { $0 }
        }
        #expect(same)
        // What is kept is the same object, so it is converted once.
        #expect(image.frames[3].picture === image.frames[3].picture)
    }

    /// Drawing all of a long, large animation must not hold all of it.
    @Test func `memory is bounded`() throws {
        let folder = try AssetFolder()
        try folder.write(Array(Self.square().replacing("\"op\":60", with: "\"op\":3000").utf8), "a.json")
        let image = try folder.image("a.json", width: 1200)
        #expect(image.frames.count == 3000)
        let first = image.frames[0].picture
        for n in 1..<20 { _ = image.frames[n].picture }
        // 2.9 MB each: the first has gone meanwhile, and comes back the same.
        #expect(image.frames[0].picture !== first && image.frames[0].picture.pixels == first.pixels)
    }

    @Test(arguments: [
        ("not JSON", "{\"layers\": [", "no Lottie animation"),
        ("nothing in it", "{\"v\":\"5\",\"layers\":[]}", "missing"),
        ("a list of objects", "{\"w\":1,\"h\":1,\"fr\":30,\"ip\":0,\"op\":10,\"layers\":[]}", "without layers"),
        ("endless", square().replacing("\"op\":60,\"w\"", with: "\"op\":1e12,\"w\""), "cannot be drawn"),
        ("no rate", square(rate: 0), "cannot be drawn"),
        (
            "enormous", square().replacing("\"w\":100", with: "\"w\":20000").replacing("\"h\":50", with: "\"h\":20000"),
            "too large"
        ),
        (
            "another file",
            square(assets: "[{\"id\":\"i\",\"w\":9,\"h\":9,\"u\":\"/etc/\",\"p\":\"logo.png\",\"e\":0}]"), "logo.png"
        ),
        (
            "too many copies",
            square(extra: "{\"ty\":\"rp\",\"c\":{\"a\":0,\"k\":1e9},\"o\":{\"a\":0,\"k\":0},\"m\":1},"), "repeats"
        ),
    ])
    func `what cannot be drawn is told`(what: String, text: String, word: String) throws {
        let folder = try AssetFolder()
        try folder.write(Array(text.utf8), "a.json")
        let message = folder.failure("a.json")?.message ?? "was accepted"
        #expect(message.contains("a.json") && message.contains(word), "\(what): \(message)")
    }

    @Test func `bombs and damaged packing are refused`() throws {
        let folder = try AssetFolder()
        try folder.write([UInt8](repeating: 0x20, count: 9 << 20), "blanks.json")
        try Self.gzip(folder, "blanks.json", as: "bomb.tgs")
        #expect(try folder.bytes("bomb.tgs").count < 20_000)
        #expect(folder.failure("bomb.tgs")?.message.contains("unpacks to more than 8 MB") == true)
        try folder.write(Array(Self.square().utf8), "a.json")
        try Self.gzip(folder, "a.json", as: "a.tgs")
        try folder.write(Array(try folder.bytes("a.tgs").dropLast(40)), "short.tgs")
        #expect(folder.failure("short.tgs")?.message.contains("damaged") == true)
    }

    /// librlottie sees damaged documents only when they are still JSON with layers; whatever then stands in them must not
    /// bring the program down.
    @Test func `damaged documents are refused or drawn`() throws {
        let folder = try AssetFolder()
        let text = Array(Self.square().utf8)
        var random = SeededNumbers(state: 7)
        for round in 0..<300 {
            var bytes = text
            for _ in 0..<Int(random.next() % 3 + 1) {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 4 {
                case 0: bytes[place] = UInt8(ascii: "0") + UInt8(random.next() % 10)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + 4))
                case 2: bytes[place] = [UInt8](",:[]{}\"-e".utf8)[Int(random.next() % 9)]
                default:
                    bytes.insert(contentsOf: text[place..<min(text.count, place + 30)], at: min(place, bytes.count))
                }
            }
            try folder.write(bytes, "\(round).json")
            if let image = try? folder.image("\(round).json", width: 40) {
                for n in [0, image.frames.count - 1] { _ = image.frames[n].picture }
            }
        }
    }
}

/// Numbers that are the same in every run (Knuth's MMIX constants).
struct SeededNumbers {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}

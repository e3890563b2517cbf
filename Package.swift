// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// One list of settings for every Swift target. `EDITOR_STRICT=1` (set by CI and by `make test`) turns warnings into errors
/// and lets tests see internals in release builds too, which `swift test` does by itself and `swift build` does not.
let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    + (ProcessInfo.processInfo.environment["EDITOR_STRICT"] == "1"
        ? [.treatAllWarnings(as: .error), .unsafeFlags(["-enable-testing"])] : [])

let package = Package(
    name: "editor",
    products: [
        // What an effect module imports, and nothing more.
        .library(name: "EditorCore", targets: ["EditorCore"]),
        // What a program that renders movies imports: the core, libav, and the built-in effects.
        .library(name: "EditorKit", targets: ["EditorKit"]),
        // What a program that records imports beside it: sessions of segments from camera and microphone.
        .library(name: "EditorRecording", targets: ["EditorRecording"]),
        // What the tests of an effect module import: synthetic frames and the effect contract.
        .library(name: "EditorTestSupport", targets: ["EditorTestSupport"]),
        // What an editor with compiled-in modules of its own imports: one call is the whole program.
        .library(name: "EditorCLI", targets: ["EditorCLI"]),
        .executable(name: "editor", targets: ["editor"]),
    ],
    targets: [
        // System libraries, found by pkg-config. The Debian packages stand in scripts/packages.txt with their reasons.
        .systemLibrary(name: "CFFmpeg", path: "Sources/CLibs/CFFmpeg", pkgConfig: "libavformat"),
        .systemLibrary(name: "CPangoCairo", path: "Sources/CLibs/CPangoCairo", pkgConfig: "pangocairo"),
        .systemLibrary(name: "CWebP", path: "Sources/CLibs/CWebP", pkgConfig: "libwebpdemux"),
        // Only its header: the library itself is loaded when a HEIF file comes.
        .systemLibrary(name: "CHeif", path: "Sources/CLibs/CHeif"),
        .systemLibrary(name: "CRsvg", path: "Sources/CLibs/CRsvg", pkgConfig: "librsvg-2.0"),
        .systemLibrary(name: "CFontconfig", path: "Sources/CLibs/CFontconfig", pkgConfig: "fontconfig"),
        .systemLibrary(name: "CCapture", path: "Sources/CLibs/CCapture", pkgConfig: "alsa"),
        // Its headers alone: the library is opened when it is needed.
        .systemLibrary(name: "CSDL", path: "Sources/CLibs/CSDL"),
        .systemLibrary(name: "CRlottie", path: "Sources/CLibs/CRlottie", pkgConfig: "rlottie"),
        .systemLibrary(name: "CZlib", path: "Sources/CLibs/CZlib", pkgConfig: "zlib"),
        .systemLibrary(name: "CEbur128", path: "Sources/CLibs/CEbur128", pkgConfig: "libebur128"),
        // Headers alone: these two are loaded when they are needed, so that starting costs nothing.
        .systemLibrary(name: "CCurl", path: "Sources/CLibs/CCurl"),
        .systemLibrary(name: "CAubio", path: "Sources/CLibs/CAubio"),

        // The interfaces of plugins that are loaded while the editor runs, and what restrains their processes.
        .systemLibrary(name: "CForeign", path: "Sources/CLibs/CForeign"),

        .target(name: "EditorCore", swiftSettings: strict),
        .target(
            name: "EditorMedia",
            dependencies: [
                "EditorCore", "CFFmpeg", "CWebP", "CHeif", "CRsvg", "CFontconfig", "CRlottie", "CZlib", "CEbur128",
                "CCurl", "CAubio",
            ],
            swiftSettings: strict),

        // Cameras and microphones; the only target that calls libv4l2 and libasound.
        .target(name: "EditorCapture", dependencies: ["EditorCore", "CCapture"], swiftSettings: strict),
        // Sessions of recorded segments.
        .target(
            name: "EditorRecording", dependencies: ["EditorCore", "EditorMedia", "EditorCapture"],
            swiftSettings: strict),

        .target(
            name: "StickerEffects", dependencies: ["EditorCore"], path: "Sources/Effects/Sticker", swiftSettings: strict
        ),
        .target(
            name: "TextEffects", dependencies: ["EditorCore", "CPangoCairo"], path: "Sources/Effects/Text",
            swiftSettings: strict),
        .target(
            name: "BeautyEffects", dependencies: ["EditorCore"], path: "Sources/Effects/Beauty", swiftSettings: strict),
        .target(
            name: "ColorEffects", dependencies: ["EditorCore"], path: "Sources/Effects/Color", swiftSettings: strict),
        .target(
            name: "MusicEffects", dependencies: ["EditorCore"], path: "Sources/Effects/Music", swiftSettings: strict),
        .target(
            name: "TransitionEffects", dependencies: ["EditorCore"], path: "Sources/Effects/Transition",
            swiftSettings: strict),

        // Effects in foreign files: frei0r, LADSPA, and the processes they run in.
        .target(name: "ForeignEffects", dependencies: ["EditorCore", "CForeign"], swiftSettings: strict),

        .target(
            name: "EditorKit",
            dependencies: [
                "EditorCore", "EditorMedia", "EditorCapture", "EditorRecording", "StickerEffects", "TextEffects",
                "BeautyEffects", "ColorEffects", "MusicEffects", "TransitionEffects", "ForeignEffects",
            ], swiftSettings: strict),
        // Windows and the sound device.
        .target(name: "EditorWindow", dependencies: ["EditorCore", "CSDL"], swiftSettings: strict),
        // The command line as a library, so that a program with further modules is one call.
        .target(
            name: "EditorCLI",
            dependencies: [
                "EditorCore", "EditorKit", "EditorWindow", "EditorCapture", "EditorRecording", "EditorTestSupport",
            ], swiftSettings: strict),
        // Modules in files of their own use the editor's EditorCore, so the program has to show it to them.
        .executableTarget(
            name: "editor", dependencies: ["EditorCLI"], swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),

        // Times the picture effects alone; Benchmarks/filters.py runs it.
        .executableTarget(
            name: "filter-times", dependencies: ["EditorCore", "BeautyEffects", "ColorEffects", "EditorTestSupport"],
            path: "Benchmarks/FilterTimes", swiftSettings: strict),

        .target(
            name: "EditorTestSupport", dependencies: ["EditorCore"], path: "Tests/Support", swiftSettings: strict),
        .testTarget(
            name: "EditorCoreTests", dependencies: ["EditorCore", "EditorTestSupport"], exclude: ["Render/References"],
            swiftSettings: strict),
        .testTarget(
            name: "EditorMediaTests", dependencies: ["EditorCore", "EditorMedia", "EditorTestSupport", "CFFmpeg"],
            exclude: ["Reference"], swiftSettings: strict),
        .testTarget(
            name: "EditorRecordingTests",
            dependencies: ["EditorCore", "EditorMedia", "EditorCapture", "EditorRecording"], swiftSettings: strict),
        .testTarget(
            name: "StickerEffectsTests", dependencies: ["EditorCore", "StickerEffects", "EditorTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TextEffectsTests", dependencies: ["EditorCore", "TextEffects", "EditorTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "BeautyEffectsTests", dependencies: ["EditorCore", "BeautyEffects", "EditorTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ColorEffectsTests", dependencies: ["EditorCore", "ColorEffects", "EditorTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "MusicEffectsTests",
            dependencies: ["EditorCore", "EditorMedia", "MusicEffects", "EditorTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TransitionEffectsTests", dependencies: ["EditorCore", "TransitionEffects", "EditorTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ForeignEffectsTests", dependencies: ["EditorCore", "ForeignEffects", "EditorTestSupport"],
            swiftSettings: strict),
        // Runs the built executable and checks what comes out with ffprobe and ffmpeg.
        .testTarget(
            name: "EditorTests", dependencies: ["EditorCore", "EditorKit", "EditorTestSupport", "editor"],
            exclude: ["References", "Fixtures"], swiftSettings: strict),
    ]
)

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "recorder",
    dependencies: [.package(name: "editor", path: "../..")],
    targets: [
        .executableTarget(
            name: "recorder",
            dependencies: [
                .product(name: "EditorKit", package: "editor"), .product(name: "EditorCore", package: "editor"),
                .product(name: "EditorRecording", package: "editor"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "glow",
    products: [.library(name: "Glow", targets: ["Glow"]), .executable(name: "glow-editor", targets: ["glow-editor"])],
    // The editor's checkout; its folder may have any name.
    dependencies: [.package(name: "editor", path: "../..")],
    targets: [
        .target(name: "Glow", dependencies: [.product(name: "EditorCore", package: "editor")]),
        .executableTarget(
            name: "glow-editor", dependencies: ["Glow", .product(name: "EditorCLI", package: "editor")]),
        .testTarget(
            name: "GlowTests", dependencies: ["Glow", .product(name: "EditorTestSupport", package: "editor")]),
    ]
)

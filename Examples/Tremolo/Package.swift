// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Tremolo",
    products: [.library(name: "Tremolo", targets: ["Tremolo"])],
    // The editor's checkout; its folder may have any name.
    dependencies: [.package(name: "editor", path: "../..")],
    targets: [
        .target(name: "Tremolo", dependencies: [.product(name: "EditorCore", package: "editor")]),
        .testTarget(
            name: "TremoloTests", dependencies: ["Tremolo", .product(name: "EditorTestSupport", package: "editor")]),
    ]
)

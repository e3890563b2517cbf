// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "WatermarkClock",
    products: [.library(name: "WatermarkClock", targets: ["WatermarkClock"])],
    // The editor's checkout; its folder may have any name.
    dependencies: [.package(name: "editor", path: "../..")],
    targets: [
        .target(name: "WatermarkClock", dependencies: [.product(name: "EditorCore", package: "editor")]),
        .testTarget(
            name: "WatermarkClockTests",
            dependencies: ["WatermarkClock", .product(name: "EditorTestSupport", package: "editor")]),
    ]
)

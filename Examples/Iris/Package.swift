// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Iris",
    products: [.library(name: "Iris", targets: ["Iris"])],
    // The editor's checkout; its folder may have any name.
    dependencies: [.package(name: "editor", path: "../..")],
    targets: [
        .target(name: "Iris", dependencies: [.product(name: "EditorCore", package: "editor")]),
        .testTarget(
            name: "IrisTests", dependencies: ["Iris", .product(name: "EditorTestSupport", package: "editor")]),
    ]
)

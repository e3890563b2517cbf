// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MeanColor",
    dependencies: [.package(name: "editor", path: "../..")],
    targets: [
        .executableTarget(
            name: "mean-color",
            dependencies: [
                .product(name: "EditorKit", package: "editor"), .product(name: "EditorCore", package: "editor"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)

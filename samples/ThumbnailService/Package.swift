// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "ThumbnailService",
    platforms: [.macOS(.v15)],
    dependencies: [
        // In a package of your own: .package(url: "…", from: "…")
        .package(name: "snap", path: "../..")
    ],
    targets: [
        .executableTarget(name: "ThumbnailService", dependencies: [.product(name: "Snap", package: "snap")]),
        // The program in the README.
        .executableTarget(name: "SixLines", dependencies: [.product(name: "Snap", package: "snap")]),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target is compiled with: warnings are errors, imports are internal unless said otherwise.
let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// The modules that hold C memory also mark every unsafe use (SE-0458).
let strict: [SwiftSetting] = settings + [.strictMemorySafety()]

/// On Linux, FFmpeg's libraries are loaded when they are first used (Sources/CFFmpeg/functions.c). They are linked on macOS,
/// and with this variable set: for static libraries, or such as pkg-config finds outside the compiler's and loader's own paths.
#if os(Linux)
    let linksFFmpeg = Context.environment["SNAP_LINK_FFMPEG"] != nil
#else
    let linksFFmpeg = true
#endif

let package = Package(
    name: "snap",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "snap", targets: ["SnapCLI"]),
        .library(name: "Snap", targets: ["Snap"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // What Swift can't ask of the operating system.
        .target(name: "CSystem", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),

        // What all modules share: exact time, where bytes come from, how work is stopped.
        .target(name: "SnapBase", dependencies: ["CSystem"], swiftSettings: settings),

        // HLS playlists: text in, values out.
        .target(name: "SnapPlaylist", dependencies: ["SnapBase"], swiftSettings: settings),

        // FFmpeg's demuxers, decoders and scaler: the only modules that see its headers.
        .systemLibrary(
            name: "FFmpegLibraries",
            pkgConfig: linksFFmpeg ? "libavformat" : nil,
            providers: [
                .apt(["libavformat-dev", "libavcodec-dev", "libswscale-dev"]),
                .brew(["ffmpeg"]),
            ]
        ),
        .target(
            name: "CFFmpeg",
            dependencies: ["FFmpegLibraries", "CSystem"],
            cSettings: linksFFmpeg ? [.define("CFFMPEG_LINKED")] : [],
            linkerSettings: linksFFmpeg
                ? ["avformat", "avcodec", "avutil", "swscale"].map { .linkedLibrary($0) } : []
        ),

        // libjpeg, behind a few calls that return a status where libjpeg would end the process.
        .systemLibrary(
            name: "JPEGLibrary",
            pkgConfig: "libjpeg",
            providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]
        ),
        .target(name: "CJPEG", dependencies: ["JPEGLibrary"], linkerSettings: [.linkedLibrary("jpeg")]),

        .target(name: "SnapMedia", dependencies: ["SnapBase", "CFFmpeg", "CJPEG"], swiftSettings: strict),

        // HTTP over libcurl, which is loaded when the first URL is opened. Only its headers are needed to build
        // (libcurl4-openssl-dev; in the SDK on macOS), in the compiler's own paths: a system library with a pkgConfig
        // name would link it.
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(name: "SnapNetwork", dependencies: ["SnapBase", "CCurl"], swiftSettings: strict),

        // The settings of glibc's allocator.
        .systemLibrary(name: "MallocLibrary"),

        // The library, and the command over it.
        .target(
            name: "Snap", dependencies: ["SnapBase", "SnapPlaylist", "SnapMedia", "SnapNetwork"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "SnapCLI",
            dependencies: [
                "Snap", "MallocLibrary", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),

        // What the tests measure snap against: clips with known frames, the ffmpeg command, processes, scratch folders.
        .target(name: "TestSupport", dependencies: ["SnapBase"], path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport", "SnapBase"], swiftSettings: settings),

        .testTarget(
            name: "SnapCLITests",
            dependencies: [
                "SnapCLI", "Snap", "TestSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SnapPlaylistTests", dependencies: ["SnapPlaylist", "SnapBase", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(name: "SnapBaseTests", dependencies: ["SnapBase", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "SnapTests", dependencies: ["Snap", "SnapMedia", "SnapBase", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "SnapMediaTests", dependencies: ["SnapMedia", "SnapBase", "CFFmpeg", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "SnapNetworkTests",
            dependencies: ["SnapNetwork", "TestSupport"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The quick tests under a sanitizer (scripts/sanitize --quick) build no more than they run.
if Context.environment["SNAP_QUICK_TESTS"] != nil {
    package.products.removeAll { $0.name == "snap" }
    package.targets.removeAll {
        ["SnapCLI", "SnapCLITests", "SnapNetworkTests", "SnapPlaylistTests", "TestSupportTests"].contains($0.name)
    }
}

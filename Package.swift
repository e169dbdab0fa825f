// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
    name: "EncoderKit",
    // One product per module, so that an application links only what it uses.
    // X264Backend and X265Backend link GPL libraries; everything else here does not.
    products: [
        "ParameterSets", "EncoderAPI", "X264Backend", "X265Backend", "OpenH264Backend", "VAAPIBackend",
        "EncoderConformance", "PictureTransfer", "Publishing", "Capture", "StreamInspection", "WebSocketPublishing",
    ].map { Product.library(name: $0, targets: [$0]) } + [
        // The VA-API driver of the tests; `make softva` builds it under the name libva looks for.
        .library(name: "softva", type: .dynamic, targets: ["SoftVA"]),
        // VideoToolbox's API; the traits say which encoders it links.
        .library(
            name: "EKVideoToolbox", targets: ["EKCoreFoundation", "EKCoreMedia", "EKCoreVideo", "EKVideoToolbox"]),
        // The same under Apple's names, which every target of a build can import then.
        .library(name: "VideoToolboxCompat", targets: ["CoreMedia", "CoreVideo", "VideoToolbox"]),
        // Hides the toolchain's module CoreFoundation in the whole build.
        .library(name: "CoreFoundationCompat", targets: ["CoreFoundation"]),
        .executable(name: "encbench", targets: ["encbench"]),
        .executable(name: "encpublish", targets: ["encpublish"]),
    ],
    // None by default: what EKVideoToolbox links beside the rest. Other products ask for their back ends themselves.
    traits: [
        .trait(name: "X264", description: "EKVideoToolbox encodes H.264 with libx264 (GPL)."),
        .trait(name: "X265", description: "EKVideoToolbox encodes HEVC with libx265 (GPL)."),
        .trait(name: "OpenH264", description: "EKVideoToolbox encodes H.264 with libopenh264, where it is installed."),
        .trait(name: "VAAPI", description: "EKVideoToolbox encodes on devices, through VA-API."),
        .trait(name: "WebSocket", description: "WebSocketPublishing has a server and a client, by swift-nio."),
        .trait(
            name: "WebSocketTLS", description: "Both over TLS too, by swift-nio-ssl, which takes minutes to build.",
            enabledTraits: ["WebSocket"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // No pkgConfig for x264: its flags make SwiftPM warn on every build; the module map links it.
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CCoreFoundation"),
        .systemLibrary(name: "CX264", providers: [.apt(["libx264-dev"])]),
        .systemLibrary(name: "CX265", providers: [.apt(["libx265-dev"])]),
        .target(name: "COpenH264", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CLibAV", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CV4L2"),
        .target(name: "CYUV", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CVA", linkerSettings: [.linkedLibrary("dl")]),
        .target(
            // An encoder without optimization takes four times as long; a driver exports what libva looks for.
            name: "SoftVA", exclude: ["README.md", "RELEASES.md", "meson.build", "meson_options.txt"],
            cSettings: .softva(in: ".") + [
                .unsafeFlags(["-fvisibility=hidden"]), .unsafeFlags(["-O2"], .when(configuration: .debug)),
            ], linkerSettings: [.linkedLibrary("m")]),
        .target(name: "BitSyntax"),
        // Square roots of a debug build are libm's, which a program without Foundation does not link by itself.
        .target(name: "ParameterSets", dependencies: ["BitSyntax"], linkerSettings: [.linkedLibrary("m")]),
        .target(name: "EncoderAPI", dependencies: ["ParameterSets", .collections, .logging]),
        .target(name: "BackendSupport", dependencies: ["EncoderAPI", .logging]),
        .target(
            name: "X264Backend", dependencies: ["BackendSupport", "CX264", "EncoderAPI", "ParameterSets", .logging]),
        .target(
            name: "X265Backend", dependencies: ["BackendSupport", "CX265", "EncoderAPI", "ParameterSets", .logging]),
        .target(
            name: "OpenH264Backend",
            dependencies: ["BackendSupport", "COpenH264", "EncoderAPI", "ParameterSets", .logging]),
        .target(
            name: "VAAPIBackend",
            dependencies: ["BackendSupport", "BitSyntax", "CVA", "EncoderAPI", "ParameterSets", .logging]),
        .target(name: "SyntheticPictures", dependencies: ["EncoderAPI"]),
        .target(
            name: "EncoderConformance",
            dependencies: ["CMalloc", "EncoderAPI", "ParameterSets", "SyntheticPictures", .logging],
            swiftSettings: .unoptimized),
        .target(name: "PictureTransfer", dependencies: ["CYUV", "EncoderAPI"]),
        // VideoToolbox's API under names of its own; Foundation is imported here alone among the libraries.
        .target(name: "EKCoreFoundation", dependencies: ["CCoreFoundation"]),
        .target(name: "EKCoreVideo", dependencies: ["EKCoreFoundation", "EncoderAPI", "ParameterSets"]),
        .target(name: "EKCoreMedia", dependencies: ["EKCoreFoundation", "EKCoreVideo", "EncoderAPI", "ParameterSets"]),
        .target(
            name: "EKVideoToolbox",
            dependencies: [
                "EKCoreFoundation", "EKCoreMedia", "EKCoreVideo", "EncoderAPI", "PictureTransfer",
                .byName(name: "OpenH264Backend", condition: .when(traits: ["OpenH264"])),
                .byName(name: "VAAPIBackend", condition: .when(traits: ["VAAPI"])),
                .byName(name: "X264Backend", condition: .when(traits: ["X264"])),
                .byName(name: "X265Backend", condition: .when(traits: ["X265"])), .logging,
            ]),
        .target(name: "CoreFoundation", dependencies: ["EKCoreFoundation"]),
        .target(name: "CoreVideo", dependencies: ["EKCoreFoundation", "EKCoreVideo"]),
        .target(name: "CoreMedia", dependencies: ["CoreVideo", "EKCoreMedia"]),
        .target(name: "VideoToolbox", dependencies: ["CoreMedia", "EKVideoToolbox"]),
        .target(name: "FLV", dependencies: ["BitSyntax", "EncoderAPI"]),
        .target(name: "MediaIO"),
        .target(name: "LibAV", dependencies: ["CLibAV", "EncoderAPI", "MediaIO", "ParameterSets"]),
        .target(
            name: "MediaFiles",
            dependencies: ["CLibAV", "EncoderAPI", "FLV", "LibAV", "MediaIO", "ParameterSets", "PictureTransfer"]),
        // What executables share. Links the GPL libraries of x264 and x265: no library product depends on it.
        .target(
            name: "CommandOptions",
            dependencies: [
                "EncoderAPI", "MediaFiles", "OpenH264Backend", "ParameterSets", "VAAPIBackend", "X264Backend",
                "X265Backend", .argumentParser, .logging,
            ], swiftSettings: .unoptimized),
        .target(
            name: "Publishing",
            dependencies: [
                "BitSyntax", "CLibAV", "EncoderAPI", "FLV", "LibAV", "MediaIO", "ParameterSets", .collections,
            ]),
        .target(name: "Capture", dependencies: ["CLibAV", "CV4L2", "EncoderAPI", "LibAV", "PictureTransfer"]),
        .target(
            name: "WebSocketPublishing",
            dependencies: [
                "BitSyntax", "EncoderAPI", "LibAV", "ParameterSets", "Publishing", .collections, .nio("NIOCore"),
                .nio("NIOHTTP1"), .nio("NIOPosix"), .nio("NIOWebSocket"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["WebSocketTLS"])),
            ],
            resources: [.embedInCode("Page/viewer.html")]),
        .target(name: "StreamInspection", dependencies: ["FLV", "MediaFiles", "ParameterSets"]),
        // How good pictures are beside their sources, for encbench.
        .target(name: "PictureQuality", dependencies: ["CommandOptions", "EncoderAPI", "MediaFiles"]),
        .target(
            name: "EncoderBench",
            dependencies: [
                "CommandOptions", "EncoderAPI", "MediaFiles", "ParameterSets", "PictureQuality", "StreamInspection",
                "SyntheticPictures", "VAAPIBackend", "X264Backend", "X265Backend", .logging,
            ], swiftSettings: .unoptimized),
        .target(
            name: "BenchReports", dependencies: ["CommandOptions", "EncoderBench", "MediaFiles", "PictureQuality"],
            swiftSettings: .unoptimized),
        .target(name: "BundledClips", resources: [.copy("Clips")]),
        .executableTarget(
            name: "encbench",
            dependencies: [
                "BenchReports", "BundledClips", "CMalloc", "CommandOptions", "EncoderAPI", "EncoderBench",
                "EncoderConformance", "MediaFiles", "ParameterSets", "PictureQuality", "StreamInspection",
                "SyntheticPictures", "VAAPIBackend", .argumentParser, .logging,
            ],
            exclude: ["ComparisonJSON.md", "LadderJSON.md", "ProbeJSON.md", "QuestionJSON.md", "TargetJSON.md"],
            swiftSettings: .unoptimized),
        .executableTarget(
            name: "encpublish",
            dependencies: [
                "Capture", "CommandOptions", "EncoderAPI", "LibAV", "MediaFiles", "MediaIO", "ParameterSets",
                "Publishing", "SyntheticPictures", "WebSocketPublishing", .argumentParser, .collections, .logging,
            ]),
        .target(
            name: "TestSupport",
            dependencies: [
                "BitSyntax", "EncoderAPI", "EncoderConformance", "MediaFiles", "OpenH264Backend", "SoftVAHarness",
                .logging, .subprocess, .system,
            ], path: "Tests/TestSupport"),
        .tests("BitSyntax", ["BitSyntax", "ParameterSets", "TestSupport"]),
        .target(
            name: "RandomSessions",
            dependencies: ["EncoderAPI", "ParameterSets", "SyntheticPictures", .collections, .logging],
            path: "Tests/RandomSessions"),
        .executableTarget(
            name: "random-sessions", dependencies: ["RandomSessions"], path: "Tests/RandomSessionsProgram"),
        .executableTarget(
            name: "mixed-sessions",
            dependencies: [
                "CMalloc", "EncoderAPI", "EncoderConformance", "OpenH264Backend", "RandomSessions", "X264Backend",
                "X265Backend", .logging,
            ], path: "Tests/MixedSessionsProgram"),
        .target(
            name: "RandomVideoToolbox",
            dependencies: [
                "EKCoreFoundation", "EKCoreMedia", "EKCoreVideo", "EKVideoToolbox", "EncoderAPI", "RandomSessions",
                "SyntheticPictures",
            ], path: "Tests/RandomVideoToolbox"),
        .executableTarget(
            name: "random-videotoolbox",
            dependencies: [
                "EKVideoToolbox", "EncoderAPI", "RandomSessions", "RandomVideoToolbox", "X264Backend", .logging,
            ], path: "Tests/RandomVideoToolboxProgram"),
        .executableTarget(name: "read-video", dependencies: ["EncoderAPI", "MediaFiles"], path: "Tests/ReadVideo"),
        .target(
            name: "FFmpegVideo", dependencies: ["CLibAV"], path: "Tests/FFmpegVideo",
            linkerSettings: [.linkedLibrary("dl")]),
        .tests("ParameterSets", ["FFmpegVideo", "ParameterSets", "TestSupport"]),
        .tests("EncoderAPI", ["EncoderAPI", "ParameterSets", "RandomSessions", "TestSupport", .logging]),
        .tests(
            "EncoderConformance",
            [
                "EncoderAPI", "EncoderConformance", "OpenH264Backend", "ParameterSets", "RandomSessions", "TestSupport",
                "X264Backend", "X265Backend", .logging,
            ]),
        .tests("BackendSupport", ["BackendSupport", "EncoderAPI", "TestSupport", .logging]),
        .tests(
            "X264Backend",
            [
                "BackendSupport", "CMalloc", "CX264", "EncoderAPI", "EncoderConformance", "ParameterSets",
                "TestSupport", "X264Backend", .logging,
            ]),
        .tests(
            "X265Backend",
            [
                "BackendSupport", "CX265", "EncoderAPI", "EncoderConformance", "ParameterSets", "TestSupport",
                "X265Backend", .logging,
            ]),
        .tests(
            "OpenH264Backend",
            [
                "COpenH264", "EncoderAPI", "EncoderConformance", "OpenH264Backend", "ParameterSets", "SoftVAHarness",
                "TestSupport", .logging,
            ]),
        .tests(
            "VAAPIBackend",
            ["CVA", "EncoderAPI", "EncoderConformance", "SoftVA", "TestSupport", "VAAPIBackend", .logging]),
        .target(
            name: "SoftVAHarness", dependencies: ["SoftVA"], path: "Tests/SoftVAHarness",
            cSettings: .softva(in: "../../Sources/SoftVA"), linkerSettings: [.linkedLibrary("m")]),
        .tests("SoftVACoder", ["SoftVAHarness", "TestSupport"]),
        .tests("FLV", ["BitSyntax", "EncoderAPI", "FLV", "TestSupport"]),
        .tests("LibAV", ["BitSyntax", "CLibAV", "EncoderAPI", "LibAV", "ParameterSets"]),
        .tests("EKCoreFoundation", ["EKCoreFoundation"]),
        .tests("EKCoreVideo", ["EKCoreFoundation", "EKCoreVideo", "EncoderAPI", "ParameterSets", "TestSupport"]),
        .tests("EKCoreMedia", ["EKCoreFoundation", "EKCoreMedia", "EKCoreVideo", "TestSupport"]),
        .tests(
            "EKVideoToolbox",
            [
                "EKCoreFoundation", "EKCoreMedia", "EKCoreVideo", "EKVideoToolbox", "EncoderAPI", "MediaFiles",
                "ParameterSets", "PictureTransfer", "RandomSessions", "TestSupport", "X264Backend", "X265Backend",
                "random-videotoolbox", .logging,
            ]),
        .tests(
            "EKVideoToolboxDevice",
            [
                "EKCoreFoundation", "EKCoreMedia", "EKCoreVideo", "EKVideoToolbox", "EncoderAPI", "MediaFiles",
                "OpenH264Backend", "SoftVA", "TestSupport", "VAAPIBackend",
            ]),
        .tests("MediaIO", ["MediaIO", "TestSupport"]),
        .tests(
            "MediaFiles", ["CLibAV", "EncoderAPI", "LibAV", "MediaFiles", "MediaIO", "ParameterSets", "TestSupport"]),
        .tests("PictureTransfer", ["EncoderAPI", "PictureTransfer", "TestSupport", "X264Backend"]),
        .target(
            name: "RecordedStreams", dependencies: ["EncoderAPI", "MediaFiles", "ParameterSets", "Publishing"],
            path: "Tests/RecordedStreams"),
        .executableTarget(
            name: "publishprobe", dependencies: ["CMalloc", "EncoderAPI", "Publishing", "RecordedStreams"],
            path: "Tests/PublishProbe"),
        .tests(
            "Publishing",
            [
                "BitSyntax", "EncoderAPI", "MediaFiles", "ParameterSets", "Publishing", "RecordedStreams",
                "TestSupport", "X264Backend", "publishprobe",
            ]),
        .executableTarget(name: "captureprobe", dependencies: ["Capture", "EncoderAPI"], path: "Tests/CaptureProbe"),
        .tests("Capture", ["Capture", "EncoderAPI", "TestSupport", "X264Backend", "captureprobe"]),
        .tests(
            "WebSocketPublishing",
            [
                "BitSyntax", "Capture", "EncoderAPI", "ParameterSets", "PictureTransfer", "Publishing",
                "RecordedStreams", "TestSupport", "WebSocketPublishing", "X264Backend",
            ]),
        .tests("Client", ["EncoderAPI", "EncoderConformance", "TestSupport", "X264Backend", "X265Backend"]),
        .tests(
            "Readme", ["EncoderAPI", "OpenH264Backend", "ParameterSets", "TestSupport", "X264Backend", "X265Backend"]),
        .tests("TestSupport", ["EncoderAPI", "TestSupport"]),
        .tests(
            "CommandOptions", ["CommandOptions", "EncoderAPI", "MediaFiles", "TestSupport", .argumentParser, .logging]),
        .tests("PictureQuality", ["CommandOptions", "EncoderAPI", "PictureQuality", "TestSupport"]),
        .tests(
            "encpublish",
            [
                "Capture", "CommandOptions", "EncoderAPI", "MediaFiles", "MediaIO", "ParameterSets", "Publishing",
                "TestSupport", "WebSocketPublishing", "encpublish", .argumentParser, .collections, .logging,
            ]),
        .tests(
            "encbench",
            [
                "BenchReports", "BenchStudies", "CommandOptions", "EncoderAPI", "EncoderBench", "EncoderConformance",
                "MediaFiles", "ParameterSets", "PictureQuality", "StreamInspection", "TestSupport", "encbench",
                .argumentParser, .logging,
            ]),
        .target(
            name: "BenchStudies",
            dependencies: ["CommandOptions", "EncoderAPI", "EncoderBench", "MediaFiles", "PictureQuality"],
            path: "Tests/BenchStudies"),
        .tests(
            "EncoderBench",
            [
                "BenchStudies", "CommandOptions", "EncoderAPI", "EncoderBench", "EncoderConformance", "MediaFiles",
                "PictureQuality", "TestSupport", .logging,
            ]),
        .tests(
            "BenchReports",
            [
                "BenchReports", "BenchStudies", "CommandOptions", "EncoderBench", "MediaFiles", "PictureQuality",
                "TestSupport",
            ]),
        .tests("StreamInspection", ["CLibAV", "FFmpegVideo", "ParameterSets", "StreamInspection", "TestSupport"]),
    ]
)
for target in package.targets where target.type != .system && target.swiftSettings == nil {
    target.swiftSettings = .house
}
// `dev/test NAME` names test targets: these alone are built, with what they depend on.
let words = { (name: String) in Context.environment[name]?.split(separator: " ").map(String.init) }
if let names = words("ENCODERKIT_TESTS") { package.keepOnly(names) }
// dev/fuzz names modules, of which libFuzzer learns what runs.
for target in package.targets where words("ENCODERKIT_FUZZ")?.contains(target.name) == true {
    let counters = "-sanitize-coverage=edge,inline-8bit-counters,pc-table"
    target.swiftSettings? += [.unsafeFlags(["-sanitize=fuzzer", counters])]
}
// The Swift Package Index builds where no library of the system is installed.
if Context.environment["SPI_BUILD"] != nil { package.keepOnly(["EncoderAPI", "EncoderConformance", "ParameterSets"]) }

extension Package {
    /// Leaves out every target that none of `names` depends on, every product without its targets, and every package
    /// that nothing depends on any more.
    func keepOnly(_ names: [String]) {
        let byName = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0) })
        var kept: Set<String> = []
        var rest = names
        while let name = rest.popLast() {
            guard let target = byName[name], kept.insert(name).inserted else { continue }
            rest += target.dependencies.compactMap(\.targetName)
        }
        targets.removeAll { !kept.contains($0.name) }
        products.removeAll { product in
            let needed = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
            return !kept.isSuperset(of: needed)
        }
        let packages = Set(targets.flatMap(\.dependencies).compactMap(\.packageName))
        dependencies.removeAll { dependency in
            guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
            return !packages.contains { location.hasSuffix("/\($0)") }
        }
    }
}

extension Target {
    /// The tests of a module.
    static func tests(_ module: String, _ dependencies: [Dependency]) -> Target {
        testTarget(name: module + "Tests", dependencies: dependencies)
    }
}

extension Target.Dependency {
    /// The target of this package that is depended on.
    var targetName: String? {
        switch self {
        case .targetItem(let name, _), .byNameItem(let name, _): name
        default: nil
        }
    }

    /// The package whose product is depended on.
    var packageName: String? {
        if case .productItem(_, let package, _, _) = self { package } else { nil }
    }

    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let collections = product(name: "DequeModule", package: "swift-collections")
    static let logging = product(name: "Logging", package: "swift-log")
    static let subprocess = product(name: "Subprocess", package: "swift-subprocess")
    static let system = product(name: "SystemPackage", package: "swift-system")

    /// A product of swift-nio: who does not ask for the trait neither fetches nor builds it.
    static func nio(_ name: String) -> Self {
        product(name: name, package: "swift-nio", condition: .when(traits: ["WebSocket"]))
    }
}

extension [CSetting] {
    /// Where softva's headers are, from a target's folder.
    static func softva(in root: String) -> Self {
        ["Driver", "Coding", "H264", "HEVC", "Checks", "Personalities"].map { .headerSearchPath("\(root)/\($0)") }
            + [.define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra"])]
    }
}

extension [SwiftSetting] {
    /// What every Swift target here is built with.
    static var house: Self {
        [
            .enableUpcomingFeature("ExistentialAny"),  // SE-0335
            .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
            .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
            .treatAllWarnings(as: .error),  // SE-0443
        ]
    }

    /// The same without the optimizer, which took half of a release build.
    ///
    /// For commands, texts and plans: loops over samples and bytes are in other modules.
    static var unoptimized: Self { house + [.unsafeFlags(["-Onone"], .when(configuration: .release))] }
}

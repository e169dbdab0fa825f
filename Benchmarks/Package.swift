// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

// A package of its own, so that nobody who uses EncoderKit resolves or builds it.
let package = Package(
    name: "EncoderKitBenchmarks",
    dependencies: [.package(name: "EncoderKit", path: "..", traits: ["WebSocket"])],
    targets: [
        .executableTarget(
            name: "SessionProbe",
            dependencies: [
                .product(name: "EKVideoToolbox", package: "EncoderKit"),
                .product(name: "EncoderAPI", package: "EncoderKit"),
                .product(name: "X264Backend", package: "EncoderKit"),
                .product(name: "X265Backend", package: "EncoderKit"),
            ]),
        .executableTarget(
            name: "SessionsProbe",
            dependencies: [
                .product(name: "EncoderAPI", package: "EncoderKit"),
                .product(name: "EncoderConformance", package: "EncoderKit"),
                .product(name: "X264Backend", package: "EncoderKit"),
                .product(name: "X265Backend", package: "EncoderKit"),
            ]),
        .executableTarget(
            name: "StepsProbe",
            dependencies: [
                .product(name: "EncoderAPI", package: "EncoderKit"),
                .product(name: "EncoderConformance", package: "EncoderKit"),
                .product(name: "OpenH264Backend", package: "EncoderKit"),
                .product(name: "VAAPIBackend", package: "EncoderKit"),
                .product(name: "X264Backend", package: "EncoderKit"),
                .product(name: "X265Backend", package: "EncoderKit"),
            ]),
        .executableTarget(
            name: "DeviceProbe",
            dependencies: [
                .product(name: "EncoderAPI", package: "EncoderKit"),
                .product(name: "VAAPIBackend", package: "EncoderKit"),
            ]),
        .executableTarget(
            name: "FramingProbe",
            dependencies: ["CFFmpegFraming", .product(name: "ParameterSets", package: "EncoderKit")]),
        .target(
            name: "CFFmpegFraming",
            linkerSettings: [.linkedLibrary("avformat"), .linkedLibrary("avcodec"), .linkedLibrary("avutil")]),
        .executableTarget(
            name: "PublishProbe",
            dependencies: [
                "CBarePublishing", .product(name: "EncoderAPI", package: "EncoderKit"),
                .product(name: "Publishing", package: "EncoderKit"),
            ]),
        .target(
            name: "CBarePublishing",
            linkerSettings: [.linkedLibrary("avformat"), .linkedLibrary("avcodec"), .linkedLibrary("avutil")]),
        .executableTarget(
            name: "ViewersProbe",
            dependencies: [
                .product(name: "EncoderAPI", package: "EncoderKit"),
                .product(name: "ParameterSets", package: "EncoderKit"),
                .product(name: "Publishing", package: "EncoderKit"),
                .product(name: "WebSocketPublishing", package: "EncoderKit"),
            ]),
        .executableTarget(
            name: "TransferProbe",
            dependencies: [
                "CTransferPeers", .product(name: "EncoderAPI", package: "EncoderKit"),
                .product(name: "PictureTransfer", package: "EncoderKit"),
            ]),
        .target(name: "CTransferPeers", linkerSettings: [.linkedLibrary("swscale"), .linkedLibrary("yuv")]),
        .executableTarget(name: "BareLoop", linkerSettings: [.linkedLibrary("x264"), .linkedLibrary("x265")]),
        .executableTarget(name: "RunOnce"),
    ]
)

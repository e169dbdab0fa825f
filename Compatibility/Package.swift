// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

// Encoder classes as applications for iOS and macOS have them, which import VideoToolbox by its own name. A package of
// its own: a conformance that a client adds with @retroactive is an error within the package of the type.
let clients = [
    "CameraClient", "BaselineClient", "ScreenClient", "TwoCodecClient", "StreamClient", "LadderClient", "PoolClient",
    "ReorderClient",
]
let videoToolbox = Target.Dependency.product(name: "VideoToolboxCompat", package: "EncoderKit")
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
    name: "EncoderKitCompatibility",
    products: [.library(name: "ClientSupport", targets: ["ClientSupport"])],
    dependencies: [.package(name: "EncoderKit", path: "..", traits: ["X264", "X265"])],
    targets: clients.map { .target(name: $0, dependencies: [videoToolbox], swiftSettings: strict) } + [
        // The class that the README shows.
        .executableTarget(
            name: "ReadmeClient", dependencies: ["ClientSupport", videoToolbox], swiftSettings: strict),
        .target(name: "ClientSupport", dependencies: [videoToolbox], swiftSettings: strict),
        .testTarget(
            name: "CompatibilityTests",
            dependencies: [
                "ClientSupport", videoToolbox,
                .product(name: "EncoderAPI", package: "EncoderKit"),
                .product(name: "ParameterSets", package: "EncoderKit"),
                .product(name: "Publishing", package: "EncoderKit"),
                .product(name: "X264Backend", package: "EncoderKit"),
                .product(name: "X265Backend", package: "EncoderKit"),
            ] + clients.map { .byName(name: $0) },
            swiftSettings: strict),
    ],
    // Clients are built in both modes: `dev/test-compatibility` sets the variable.
    swiftLanguageModes: [Context.environment["COMPATIBILITY_SWIFT"] == "5" ? .v5 : .v6]
)

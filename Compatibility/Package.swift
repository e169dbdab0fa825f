// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

// Clients as applications have them, in a package of their own: `@retroactive` is an error inside one package, and
// applications see products, not targets.
let package = Package(
    name: "Compatibility",
    dependencies: [.package(name: "EncoderKit", path: "..", traits: ["X264", "X265"])],
    targets: [
        .target(
            name: "Clients", dependencies: [.product(name: "VideoToolboxCompat", package: "EncoderKit")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "StrictClients", dependencies: [.product(name: "VideoToolboxCompat", package: "EncoderKit")],
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]),
        .target(
            name: "AliasedClients", dependencies: [.product(name: "EKVideoToolbox", package: "EncoderKit")],
            swiftSettings: [
                .swiftLanguageMode(.v5),
                .unsafeFlags([
                    "-module-alias", "VideoToolbox=EKVideoToolbox", "-module-alias", "CoreMedia=EKCoreMedia",
                    "-module-alias", "CoreVideo=EKCoreVideo", "-module-alias", "CoreFoundation=EKCoreFoundation",
                ]),
            ]),
        .executableTarget(name: "lookalikes", dependencies: ["AliasedClients", "Clients", "StrictClients"]),
    ]
)

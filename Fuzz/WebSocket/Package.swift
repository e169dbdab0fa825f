// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

// What is fuzzed with swift-nio around it: a package of its own, which `dev/fuzz` builds with libFuzzer's driver.
let package = Package(
    name: "FuzzWebSocket",
    dependencies: [
        .package(name: "EncoderKit", path: "../..", traits: ["WebSocket"]),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .executableTarget(
            name: "FuzzWebSocket",
            dependencies: [
                .product(name: "Publishing", package: "EncoderKit"),
                .product(name: "WebSocketPublishing", package: "EncoderKit"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
            ], path: "Targets", swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)

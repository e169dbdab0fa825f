// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

// A client of one product with some traits, which `dev/test-compatibility` chooses.
let product = Context.environment["LEAN_PRODUCT"] ?? "EncoderAPI"
let traits = (Context.environment["LEAN_TRAITS"] ?? "").split(separator: " ").map(String.init)
let names = ["EncoderAPI": "LeanEncoder", "Publishing": "LeanPublisher", "WebSocketPublishing": "LeanServer"]
// The folder's name is the identity of a package by path.
let identity = String(Context.packageDirectory.split(separator: "/").dropLast(2).last ?? "")

let package = Package(
    name: "Lean",
    dependencies: [
        .package(path: "../..", traits: Set(traits.map { .init(name: $0) }))
    ],
    targets: [
        .executableTarget(
            name: names[product] ?? "LeanEncoder", dependencies: [.product(name: product, package: identity)])
    ]
)

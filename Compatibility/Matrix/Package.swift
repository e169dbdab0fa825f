// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

// An application that imports VideoToolbox, and a target that has nothing to do with it and imports the toolchain's
// CoreFoundation. `dev/test-compatibility matrix` sets how the application gets the modules, and the traits.
enum Names: String {
    /// EKVideoToolbox, whose modules the compiler is told other names of.
    case flags
    /// VideoToolboxCompat and CoreFoundationCompat, of whose modules SwiftPM builds two under other names.
    case aliases
    /// VideoToolboxCompat as it is.
    case compat
    /// VideoToolboxCompat and CoreFoundationCompat as they are.
    case both
}

let names = Names(rawValue: Context.environment["MATRIX_NAMES"] ?? "") ?? .aliases
let traits = (Context.environment["MATRIX_TRAITS"] ?? "X264").split(separator: " ").map(String.init)
let modules = ["CoreFoundation", "CoreMedia", "CoreVideo", "VideoToolbox"]

// Aliases apply where the package is called by its identity: for a dependency by path the name of its folder.
let folders = Context.packageDirectory.split(separator: "/").dropLast(2)
let identity = String(folders.last ?? "")

func product(_ name: String, _ aliases: [String: String]? = nil) -> Target.Dependency {
    .product(name: name, package: identity, moduleAliases: aliases)
}

let dependencies: [Target.Dependency] =
    switch names {
    case .flags: [product("EKVideoToolbox")]
    case .aliases:
        // Aliases of CoreMedia and CoreVideo, which VideoToolbox depends on, would not reach the application.
        [
            product("VideoToolboxCompat", ["VideoToolbox": "LinuxVideoToolbox"]),
            product("CoreFoundationCompat", ["CoreFoundation": "LinuxCoreFoundation"]),
        ]
    case .compat: [product("VideoToolboxCompat")]
    case .both: [product("VideoToolboxCompat"), product("CoreFoundationCompat")]
    }
var settings: [SwiftSetting] = names == .compat ? [] : [.define("IMPORTS_COREFOUNDATION")]
if names == .flags { settings.append(.unsafeFlags(modules.flatMap { ["-module-alias", "\($0)=EK\($0)"] })) }

let package = Package(
    name: "EncoderKitMatrix",
    dependencies: [
        .package(path: "../..", traits: Set(traits.map { Package.Dependency.Trait(name: $0) }))
    ],
    targets: [
        .target(name: "Third"),
        .executableTarget(name: "Application", dependencies: ["Third"] + dependencies, swiftSettings: settings),
        // The same session without Foundation, to compare sizes.
        .executableTarget(name: "Plain", dependencies: [product("EncoderAPI"), product("X264Backend")]),
    ]
)

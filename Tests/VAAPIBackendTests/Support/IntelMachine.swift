// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import Testing

/// A GPU of Intel's that i915-shim pretends, and the build of Intel's driver iHD that runs on it.
struct IntelMachine: Sendable, Hashable, CustomTestStringConvertible {
    /// Builds of the driver, as Debian has them.
    enum Build: String, Sendable {
        /// From the package intel-media-va-driver.
        case free
        /// From intel-media-va-driver-non-free, which `dev/intel-drivers` unpacks.
        case full
    }

    var build = Build.free
    /// As `I915_SHIM_CHIP` takes it.
    var chip: String
    /// As `I915_SHIM_FAULT` takes them.
    var faults = ""

    /// Chips of four generations, with their firmware and without.
    static func all(_ build: Build) -> [IntelMachine] {
        ["", "huc=absent"].flatMap { faults in
            ["kbl", "icl", "tgl", "adlp"].map { IntelMachine(build: build, chip: $0, faults: faults) }
        }
    }

    /// The machine's name in `Tests/IntelDrivers/tables.txt`.
    var title: String { ["iHD", build.rawValue, chip, faults].filter { !$0.isEmpty }.joined(separator: " ") }
    var testDescription: String { title }

    /// Runs a part of a test whose children are to be on this machine: its environment is theirs.
    ///
    /// - Parameter body: Starts the children.
    /// - Returns: The calls of drivers that did not succeed with their status, as libva traces them, each once.
    /// - Throws: What `body` throws, or the file system.
    @discardableResult
    func run(_ body: () async throws -> Void) async throws -> Set<Substring> {
        try await withTemporaryDirectory { folder in
            let environment = [
                "LIBVA_TRACE": folder.path("trace"),
                "LD_PRELOAD": Self.shim, "I915_SHIM_CHIP": chip, "I915_SHIM_FAULT": faults,
                "I915_SHIM_ROOT": folder.path("device"), "LIBVA_DRIVER_NAME": "iHD",
                "LIBVA_DRIVERS_PATH": Self.folder(of: build), Self.buildVariable: build.rawValue,
            ]
            for (name, value) in environment { setenv(name, value, 1) }
            defer { for name in environment.keys { unsetenv(name) } }
            try await body()
            // For example: [48243.199915][ctx       none]=========vaInitialize ret = VA_STATUS_SUCCESS, success (no
            // error)
            let found = try await ExternalProgram("sh").run([
                "-c", "grep -aho '=va[A-Za-z]* ret = VA_STATUS_[A-Z_]*' \"$1\"/trace.* | sort | uniq -c", "sh",
                folder.path(""),
            ])
            let calls = found.text.split(separator: "\n")
            try #require(!calls.isEmpty, "libva traced nothing")
            return Set(calls.filter { !$0.hasSuffix("VA_STATUS_SUCCESS") })
        }
    }

    /// The machine that this process is on, where it is a child that ``run(_:)`` has started.
    static func current() throws -> IntelMachine {
        func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        return IntelMachine(
            build: try #require(value(buildVariable).flatMap(Build.init)), chip: try #require(value("I915_SHIM_CHIP")),
            faults: value("I915_SHIM_FAULT") ?? "")
    }

    /// What is missing to run a build of the driver, if anything.
    static func missing(_ build: Build) -> String? {
        guard access(shim, R_OK) == 0 else { return "i915-shim (make i915-shim)" }
        let remedy =
            switch build {
            case .free: "the package intel-media-va-driver"
            case .full: "the driver that dev/intel-drivers downloads"
            }
        let name = "Intel iHD driver for Intel(R) Gen Graphics - 23.1.1 ()"
        return holds("\(folder(of: build))/iHD_drv_video.so", name) ? nil : "\"\(name)\", \(remedy)"
    }

    private static let buildVariable = "ENCODERKIT_DRIVER_BUILD"
    private static let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
    private static let shim = "\(root)/.build/i915-shim/i915-shim.so"

    private static func folder(of build: Build) -> String {
        switch build {
        case .free: "/usr/lib/x86_64-linux-gnu/dri"
        case .full: "\(root)/.build/intel-drivers"
        }
    }

    /// Whether the file has the text somewhere.
    private static func holds(_ path: String, _ text: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        let length = Int(lseek(file, 0, SEEK_END))
        guard length > 0, let bytes = mmap(nil, length, PROT_READ, MAP_PRIVATE, file, 0), bytes != MAP_FAILED else {
            return false
        }
        defer { munmap(bytes, length) }
        let wanted = Array(text.utf8)
        var start = bytes
        while true {
            // Where the text would still fit.
            let places = length - (start - bytes) - wanted.count + 1
            guard places > 0, let found = memchr(start, Int32(wanted[0]), places) else { return false }
            if memcmp(found, wanted, wanted.count) == 0 { return true }
            start = found + 1
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, saying so, where i915-shim is missing, or the build of Intel's driver that is known.
    static func requiresIntelDriver(_ build: IntelMachine.Build) -> Self {
        let missing = IntelMachine.missing(build)
        return .enabled(if: missing == nil, "SKIPPED, needs \(missing ?? "nothing")")
    }
}

// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@testable import encbench

@Suite struct DoctorDriverTests {
    private static let node = "/dev/dri/renderD128"
    private static let iHD = "Intel iHD driver for Intel(R) Gen Graphics - 23.1.1 ()"

    /// What is said of low power alone.
    private static func lowPower(_ chip: Int?, rateControls: [String]) -> [Diagnosis] {
        Doctor.diagnoses(
            of: iHD, isUsedOnlyByName: false, offers: [.init(isLowPower: true, rateControls: rateControls)],
            device: node, pci: chip.map { PCIIdentity(vendor: PCIIdentity.intel, device: $0) })
    }

    /// What is said of a driver that does not answer.
    private static func failing(
        _ path: String, _ pci: PCIIdentity?, _ reason: String, variables: [String] = [], isRoot: Bool = false
    ) -> [Diagnosis] {
        var device = GPUFacts.Device(path: path, pci: pci)
        device.answers = .failure(EncoderError(.backendFailure, reason: reason, status: 1))
        return Doctor.diagnoses(
            GPUFacts(devices: [device], driverVariables: variables, hasNodes: true, isRoot: isRoot))
    }

    @Test(
        "the kernel's option for firmware is for chips that need it",
        arguments: [
            (0x9A49, true), (0x5912, true), (0x4571, true), (0x4C8A, true), (0x0A84, true), (0x4680, false),
            (0x46A6, false), (0x56A0, false), (0x7D55, false), (nil, false),
        ] as [(Int?, Bool)])
    func firmware(chip: Int?, needsOption: Bool) throws {
        let found = Self.lowPower(chip, rateControls: ["CQP"])
        let diagnosis = try #require(found.first { $0.code == .firmwareMissing })
        let command = try #require(diagnosis.command)
        #expect(command.contains("enable_guc") == needsOption)
        #expect(command.hasPrefix("sudo apt install firmware-misc-nonfree"))
        #expect(diagnosis.remedy.contains("non-free-firmware"))
    }

    @Test(
        "the full build is advised where it has another entry point",
        arguments: [
            (0x9A49, true), (0x46A6, true), (0x4571, false), (0x4E71, false), (0x56A0, false), (0x7D55, false),
            (nil, true),
        ] as [(Int?, Bool)])
    func builds(chip: Int?, isAdvised: Bool) {
        let found = Self.lowPower(chip, rateControls: ["CQP", "VBR"])
        #expect(found.map(\.code) == (isAdvised ? [.lowPowerOnly] : []))
        #expect(found.allSatisfy { $0.remedy.contains("component non-free behind main") })
    }

    @Test("Haswell is not told of a driver that has nothing for it", arguments: [(0x0412, false), (0x1616, true)])
    func older(chip: Int, isAdvised: Bool) {
        let found = Doctor.diagnoses(
            of: "Intel i965 driver - 2.4.1", isUsedOnlyByName: true,
            offers: [.init(isLowPower: false, rateControls: ["CQP"])], device: Self.node,
            pci: PCIIdentity(vendor: PCIIdentity.intel, device: chip))
        #expect(found.map(\.code) == [.usedOnlyByName])
        #expect(found[0].remedy.contains("iHD") == isAdvised)
        #expect(found[0].remedy.contains("--device /dev/dri/renderD128"))
    }

    @Test("a driver that is there and does not start is not installed again")
    func notStarting() {
        let reason = "vaInitialize: unknown libva error (/usr/lib/dri/iHD_drv_video.so init failed)"
        let own = Self.failing(Self.node, PCIIdentity(vendor: PCIIdentity.intel, device: 0x9A49), reason)
        #expect(own.map(\.code) == [.deviceFails])
        #expect(own[0].command?.contains("install") == false)
        let named = Self.failing(Self.node, nil, reason, variables: ["LIBVA_DRIVER_NAME"])
        #expect(named.map(\.code) == [.deviceFails] && named[0].command == "unset LIBVA_DRIVER_NAME")
        #expect(!named[0].remedy.contains("not there"))
        let haswell = Self.failing(Self.node, PCIIdentity(vendor: PCIIdentity.intel, device: 0x0412), reason)
        #expect(haswell.map(\.command) == ["sudo apt install i965-va-driver"])
    }

    @Test("an X server without a GPU is told of a render node, and of no package")
    func display() {
        let found = Self.failing("x11", nil, "no VA-API driver")
        #expect(found.map(\.code) == [.driverMissing] && found[0].command == nil)
        #expect(found[0].remedy.contains("/dev/dri/renderD128"))
    }

    @Test("root's commands are without sudo, on other systems too", arguments: [true, false])
    func root(isRoot: Bool) {
        let found = Self.failing(
            Self.node, PCIIdentity(vendor: PCIIdentity.amd, device: 1), "no VA-API driver", isRoot: isRoot)
        let prefix = isRoot ? "" : "sudo "
        #expect(found.map(\.command) == [prefix + "apt install mesa-va-drivers"])
        var facts = GPUFacts(libraryFailure: "no libva.so.2", isRoot: isRoot)
        #expect(Doctor.diagnoses(facts)[0].command == prefix + "apt install libva2 libva-drm2")
        facts.isDebian = false
        #expect(Doctor.diagnoses(facts)[0].remedy.hasSuffix("(on Debian 12: \(prefix)apt install libva2 libva-drm2)"))
    }
}

// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct DoctorTests {
    private static let intel = PCIIdentity(vendor: 0x8086, device: 0x9A49)
    private static let node = "/dev/dri/renderD128"

    /// A machine with one node.
    private static func machine(
        _ vendor: Int? = 0x8086, access: GPUFacts.Access = .open, failure: EncoderError? = nil,
        variables: [String] = [], isContainer: Bool = false, libraryFailure: String? = nil
    ) -> GPUFacts {
        var device = GPUFacts.Device(path: node, pci: vendor.map { PCIIdentity(vendor: $0, device: 1) }, access: access)
        device.answers = failure.map { .failure($0) }
        return GPUFacts(
            devices: [device], libraryFailure: libraryFailure, driverVariables: variables, isContainer: isContainer)
    }

    private static let noDriver = EncoderError(.backendFailure, reason: "no VA-API driver")

    @Test(
        "each fault has its diagnosis and the command that mends it",
        arguments: [
            (GPUFacts(isContainer: true), .notInContainer, nil),
            (GPUFacts(adapters: [intel], isContainer: true), .notInContainer, nil),
            (GPUFacts(adapters: [intel]), .noKernelDriver, "sudo modprobe i915"),
            (
                GPUFacts(adapters: [
                    PCIIdentity(vendor: 0x1234, device: 0x1111), PCIIdentity(vendor: 0x1002, device: 1),
                ]),
                .noKernelDriver, "sudo modprobe amdgpu"
            ),
            (GPUFacts(adapters: [PCIIdentity(vendor: 0x1234, device: 0x1111)]), .noDevice, nil),
            (GPUFacts(isVirtualMachine: true), .noDevice, nil),
            (
                machine(access: .failed("No such device")), .deviceFails,
                "sudo dmesg | grep -iE 'drm|i915|xe|amdgpu'"
            ),
            (machine(access: .noNode("No such file or directory")), .noDevice, nil),
            (machine(access: .noNode("No such file or directory"), isContainer: true), .notInContainer, nil),
            (machine(failure: noDriver), .driverMissing, "sudo apt install intel-media-va-driver"),
            (machine(0x1002, failure: noDriver), .driverMissing, "sudo apt install mesa-va-drivers"),
            (machine(0x10DE, failure: noDriver), .driverMissing, nil),
            (machine(nil, failure: noDriver), .driverMissing, "sudo apt install va-driver-all"),
            (
                machine(failure: noDriver, variables: ["LIBVA_DRIVERS_PATH", "LIBVA_DRIVER_NAME"]), .driverMissing,
                "unset LIBVA_DRIVERS_PATH LIBVA_DRIVER_NAME"
            ),
            (machine(failure: EncoderError(.outOfMemory, reason: "short")), .deviceFails, nil),
            (
                machine(failure: EncoderError(.noEncoder, reason: "no libva-drm.so.2")), .libraryMissing,
                "sudo apt install libva-drm2 libva-x11-2"
            ),
            (
                machine(failure: EncoderError(.noEncoder, reason: "no libva.so.2"), libraryFailure: "no libva.so.2"),
                .libraryMissing, "sudo apt install libva2 libva-drm2"
            ),
        ] as [(GPUFacts, Diagnosis.Code, String?)])
    func remedies(facts: GPUFacts, code: Diagnosis.Code, command: String?) {
        let diagnoses = Doctor.diagnoses(facts)
        #expect(diagnoses.map(\.code) == [code])
        #expect(diagnoses.map(\.command) == [command])
        #expect(diagnoses.allSatisfy { $0.isFatal && !$0.problem.isEmpty && !$0.remedy.isEmpty })
    }

    @Test(
        "a device that is not there, or no device, is told so, and nothing is to be installed for it",
        arguments: [
            ("x11:4711", .deviceFails, "no X server answers at the display \":4711\""),
            ("/nonexistent/renderD128", .noDevice, "No such file or directory"),
            ("/etc/hostname/renderD128", .noDevice, "Not a directory"),
            ("/etc", .noDevice, "no device"),
            ("/etc/hostname", .noDevice, "no device"),
            ("/dev/null", .noDevice, "a device that is no GPU's"),
        ] as [(String, Diagnosis.Code, String)])
    func absent(device: String, code: Diagnosis.Code, problem: String) throws {
        var facts = GPUFacts.current(device: try OptionParsing.device(device))
        facts.isContainer = false
        let diagnosis = try #require(Doctor.diagnoses(facts).first)
        #expect(diagnosis.code == code && diagnosis.problem == problem && diagnosis.isFatal)
        #expect(diagnosis.device == device && diagnosis.command == nil)
    }

    @Test("a virtual machine is told to get a GPU, and which adapter does not do")
    func virtualMachine() {
        let adapter = PCIIdentity(vendor: 0x1234, device: 0x1111)
        let diagnosis = Doctor.diagnoses(GPUFacts(adapters: [adapter], isVirtualMachine: true))[0]
        #expect(diagnosis.problem == "no GPU; the display adapter 1234:1111 encodes nothing")
        #expect(diagnosis.remedy.contains("virtual machine"))
    }

    @Test("on other systems than Debian there is no command of apt, but the words have Debian's")
    func otherDistributions() {
        var facts = Self.machine(failure: Self.noDriver)
        facts.isDebian = false
        let diagnosis = Doctor.diagnoses(facts)[0]
        #expect(diagnosis.command == nil)
        #expect(diagnosis.remedy.hasSuffix(" (on Debian 12: sudo apt install intel-media-va-driver)"))
        facts.devices[0].access = .denied(GPUFacts.Denial(group: "render"))
        #expect(Doctor.diagnoses(facts)[0].command == "sudo usermod -aG render \"$USER\"")
    }

    @Test("a driver without HEVC is told of the build that has it", arguments: [true, false])
    func missingCodec(hasHEVC: Bool) {
        var offers = [GPUFacts.Offer(isLowPower: true, rateControls: ["CQP", "VBR"])]
        if hasHEVC { offers.append(.init(codec: .hevc, isLowPower: true, rateControls: ["CQP", "VBR"])) }
        let found = Doctor.diagnoses(
            of: "Intel iHD driver for Intel(R) Gen Graphics - 23.1.1 ()", isUsedOnlyByName: false, offers: offers,
            device: Self.node, pci: Self.intel)
        #expect(found.map(\.code) == [.lowPowerOnly])
        #expect(found[0].problem.contains("no HEVC") != hasHEVC && found[0].remedy.contains("HEVC") != hasHEVC)
    }

    @Test("a missing library is said once, beside a missing GPU")
    func libraryAndDevice() {
        let diagnoses = Doctor.diagnoses(GPUFacts(libraryFailure: "no libva.so.2"))
        #expect(diagnoses.map(\.code) == [.libraryMissing, .noDevice])
    }

    @Test(
        "what the driver offers tells of firmware, builds and drivers that are used by name",
        arguments: [
            (
                "Intel iHD driver for Intel(R) Gen Graphics - 23.1.1 ()", false, [(true, ["CQP"])],
                [.firmwareMissing, .lowPowerOnly]
            ),
            (
                "Intel iHD driver for Intel(R) Gen Graphics - 23.1.1 ()", false, [(true, ["CQP", "CBR", "VBR"])],
                [.lowPowerOnly]
            ),
            (
                "Intel iHD driver for Intel(R) Gen Graphics - 23.1.1 ()", false,
                [(false, ["CQP", "CBR"]), (true, ["CQP"])],
                [.firmwareMissing]
            ),
            (
                "Intel iHD driver for Intel(R) Gen Graphics - 23.1.1 ()", false,
                [(false, ["CQP"]), (true, ["CQP", "CBR"])], []
            ),
            ("Intel i965 driver for Intel(R) Haswell - 2.4.1", true, [(false, ["CQP", "CBR"])], [.usedOnlyByName]),
            ("Mesa Gallium driver 22.3.6", false, [(false, ["CQP", "CBR", "VBR"])], []),
            ("Mesa Gallium driver 22.3.6", false, [], [.decodesOnly]),
        ] as [(String, Bool, [(Bool, [String])], [Diagnosis.Code])])
    func offers(driver: String, byName: Bool, entryPoints: [(Bool, [String])], codes: [Diagnosis.Code]) {
        let offers = entryPoints.map { GPUFacts.Offer(isLowPower: $0.0, rateControls: $0.1) }
        let found = Doctor.diagnoses(
            of: driver, isUsedOnlyByName: byName, offers: offers, device: Self.node, pci: nil)
        #expect(found.map(\.code) == codes)
        #expect(found.allSatisfy { $0.isFatal == ($0.code == .decodesOnly) && $0.device == Self.node })
    }

    @Test(
        "messages keep the paths that are alike everywhere, and of others the last component",
        arguments: [
            ("/dev/dri/renderD128: no driver", "/dev/dri/renderD128: no driver"),
            ("dlopen of /srv/jane/va/iHD_drv_video.so failed", "dlopen of …/iHD_drv_video.so failed"),
            ("failed (/usr/lib/x86_64-linux-gnu/dri)", "failed (/usr/lib/x86_64-linux-gnu/dri)"),
            ("\"/srv/jane\"", "\"…/jane\""), ("500000 bit/s, 25 frames/s", "500000 bit/s, 25 frames/s"), ("", ""),
            ("path=/opt/x/y, /srv/z", "path=…/y, …/z"), ("…/jane: no", "…/jane: no"),
            ("/dev/shm/jane/node", "…/node"), ("/dev/../srv/jane/node", "…/node"),
        ])
    func privacy(message: String, kept: String) { #expect(Privacy.withoutPaths(message) == kept) }

    @Test("the distribution's name is read with and without quotes")
    func distribution() {
        let text = "ID=debian\nVERSION_ID=\"12\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"
        #expect(SystemFacts.distribution(osRelease: text) == "Debian GNU/Linux 12 (bookworm)")
        #expect(SystemFacts.distribution(osRelease: "PRETTY_NAME=Void\n") == "Void")
        #expect(SystemFacts.distribution(osRelease: "ID=x\n") == nil)
        #expect(SystemFacts.isDebian(osRelease: text))
        #expect(SystemFacts.isDebian(osRelease: "ID=\"debian\"\nVERSION_ID=12\n"))
        #expect(!SystemFacts.isDebian(osRelease: "ID=debian\nVERSION_ID=\"13\"\n"))
        #expect(!SystemFacts.isDebian(osRelease: "ID=ubuntu\nID_LIKE=debian\n"))
    }
}

// SPDX-License-Identifier: MIT

import EncoderAPI
import VAAPIBackend

/// Says what is wrong with a machine's GPUs and how to put it right: pure.
enum Doctor {
    /// What is wrong, the machine before its devices.
    static func diagnoses(_ facts: GPUFacts) -> [Diagnosis] {
        let found = machine(facts) + facts.devices.flatMap { device($0, in: facts) }
        return facts.isDebian ? found : found.map(\.onOtherSystems)
    }

    // MARK: - The machine

    private static func machine(_ facts: GPUFacts) -> [Diagnosis] {
        var found: [Diagnosis] = []
        if let failure = facts.libraryFailure {
            found.append(
                Diagnosis(
                    code: .libraryMissing, isFatal: true, problem: failure, remedy: "install libva",
                    command: "sudo apt install libva2 libva-drm2"))
        }
        if facts.devices.isEmpty { found.append(noDevice(facts)) }
        return found
    }

    private static func noDevice(_ facts: GPUFacts) -> Diagnosis {
        if facts.isContainer {
            return Diagnosis(
                code: .notInContainer, isFatal: true,
                problem: "this container has no render node under \(RenderNode.defaultDirectory)",
                remedy: containerRemedy)
        }
        if let adapter = facts.adapters.first(where: { kernelModule(of: $0) != nil }) {
            return Diagnosis(
                code: .noKernelDriver, isFatal: true,
                problem: "the GPU \(adapter) has no render node: no kernel driver has taken it",
                remedy: "load the kernel's driver, unless nomodeset or a blacklist keeps it away",
                command: kernelModule(of: adapter).map { "sudo modprobe \($0)" })
        }
        let others = facts.adapters.isEmpty ? "" : "; the display adapter \(facts.adapters[0]) encodes nothing"
        return Diagnosis(
            code: .noDevice, isFatal: true, problem: "no GPU\(others)",
            remedy: facts.isVirtualMachine
                ? "pass a GPU to this virtual machine: PCI passthrough, or a virtual function of the GPU"
                : "use a machine with an Intel or AMD GPU, and see that the firmware setup enables it")
    }

    private static func kernelModule(of adapter: PCIIdentity) -> String? {
        switch adapter.vendor {
        case PCIIdentity.intel: "i915"
        case PCIIdentity.amd: "amdgpu"
        default: nil
        }
    }

    // MARK: - A device

    private static func device(_ device: GPUFacts.Device, in facts: GPUFacts) -> [Diagnosis] {
        switch (device.access, device.answers) {
        case (.denied(let denial), _): return [denied(device.path, denial, in: facts)]
        case (.noNode(let reason), _): return [noNode(device.path, reason, in: facts)]
        case (.failed(let reason), _):
            return [
                Diagnosis(
                    code: .deviceFails, device: device.path, isFatal: true, problem: "does not open: \(reason)",
                    remedy: "see the kernel's messages", command: "sudo dmesg | grep -iE 'drm|i915|xe|amdgpu'")
            ]
        case (.open, .failure(let error)):
            // Without the library, which is found wanting already, nothing can be said of drivers.
            guard facts.libraryFailure == nil else { return [] }
            return [unopened(device, error, in: facts)]
        case (.open, .success(let answers)): return Self.answers(answers, of: device)
        case (.open, nil): return []
        }
    }

    /// A device that opens, and whose driver does not answer.
    private static func unopened(
        _ device: GPUFacts.Device, _ error: EncoderError, in facts: GPUFacts
    ) -> Diagnosis {
        func diagnosis(_ code: Diagnosis.Code, _ remedy: String, _ command: String? = nil) -> Diagnosis {
            Diagnosis(
                code: code, device: device.path, isFatal: true, problem: error.reason, remedy: remedy, command: command)
        }
        return switch error.code {
        case .noEncoder:
            diagnosis(.libraryMissing, "install what is named", "sudo apt install libva-drm2 libva-x11-2")
        case .outOfMemory:
            diagnosis(.deviceFails, "end what takes the memory, and try again")
        // Without a status nothing came as far as a driver.
        case .backendFailure where error.status == nil && !device.isNode:
            diagnosis(.deviceFails, "start an X server, and name its display: --device x11:0, or the variable DISPLAY")
        case _ where !facts.driverVariables.isEmpty:
            diagnosis(
                .driverMissing,
                "\(facts.driverVariables.joined(separator: " and ")) may name a driver that is not there: try without",
                "unset \(facts.driverVariables.joined(separator: " "))")
        default: driverMissing(device, error)
        }
    }

    private static func driverMissing(_ device: GPUFacts.Device, _ error: EncoderError) -> Diagnosis {
        func missing(_ remedy: String, _ command: String?) -> Diagnosis {
            Diagnosis(
                code: .driverMissing, device: device.path, isFatal: true, problem: error.reason, remedy: remedy,
                command: command)
        }
        switch device.pci?.vendor {
        case PCIIdentity.intel:
            return missing(
                "install Intel's driver, iHD_drv_video.so; Broadwell takes its full build, Haswell and older chips take "
                    + "i965_drv_video.so",
                "sudo apt install intel-media-va-driver")
        case PCIIdentity.amd:
            return missing("install Mesa's driver, radeonsi_drv_video.so", "sudo apt install mesa-va-drivers")
        case PCIIdentity.nvidia:
            return missing("none for VA-API encodes on NVIDIA GPUs; use another encoder or GPU", nil)
        default: return missing("install the VA-API drivers that there are", "sudo apt install va-driver-all")
        }
    }

    // MARK: - A driver

    private static func answers(_ answers: VADeviceFacts, of device: GPUFacts.Device) -> [Diagnosis] {
        let offers = answers.entryPoints.map {
            GPUFacts.Offer(codec: $0.codec, isLowPower: $0.isLowPower, rateControls: $0.rateControls)
        }
        return diagnoses(
            of: answers.driver, isUsedOnlyByName: answers.isUsedOnlyByName, offers: offers, device: device.path,
            vendor: device.pci?.vendor)
    }

    /// What is wrong with a driver, by what it calls itself and what it offers.
    static func diagnoses(
        of driver: String, isUsedOnlyByName: Bool, offers: [GPUFacts.Offer], device: String, vendor: Int?
    ) -> [Diagnosis] {
        guard !offers.isEmpty else { return [decodesOnly(device, vendor: vendor)] }
        var found: [Diagnosis] = []
        if isUsedOnlyByName {
            found.append(
                Diagnosis(
                    code: .usedOnlyByName, device: device, isFatal: false,
                    problem: "some builds of \(driver) end the process where they encode",
                    remedy: "install Intel's newer driver iHD, in its full build on Broadwell; encbench takes this one "
                        + "with --device \(device)"))
        }
        guard driver.contains("iHD driver") else { return found }
        let lowPower = offers.filter(\.isLowPower)
        if lowPower.contains(where: { $0.rateControls == ["CQP"] }) {
            found.append(
                Diagnosis(
                    code: .firmwareMissing, device: device, isFatal: false,
                    problem: "low-power encoding has constant quantizers only: the HuC firmware is not loaded",
                    remedy:
                        "install the firmware (linux-firmware's folder i915; on Debian 12 of the component "
                        + "non-free-firmware), let i915 load it (enable_guc=2), and restart; from Alder Lake on the "
                        + "kernel does so by itself",
                    command: "sudo apt install firmware-misc-nonfree && echo 'options i915 enable_guc=2' | "
                        + "sudo tee /etc/modprobe.d/i915-huc.conf && sudo update-initramfs -u"))
        }
        if lowPower.count == offers.count {
            let hasHEVC = offers.contains { $0.codec == .hevc }
            found.append(
                Diagnosis(
                    code: .lowPowerOnly, device: device, isFatal: false,
                    problem:
                        "this build of Intel's driver encodes at the low-power entry point only: H.264 has no B pictures"
                        + (hasHEVC ? "" : ", and there is no HEVC on this chip"),
                    remedy:
                        "the full build has another entry point for chips from Broadwell to Alder Lake, Elkhart Lake apart"
                        + (hasHEVC ? "" : ", with HEVC from Skylake on") + nonFree,
                    command: fullBuild))
        }
        return found
    }

    private static let fullBuild = "sudo apt install intel-media-va-driver-non-free"
    private static let nonFree = "; apt has to know Debian's component non-free, Ubuntu's multiverse"

    private static func decodesOnly(_ device: String, vendor: Int?) -> Diagnosis {
        let problem = "the driver encodes neither H.264 nor HEVC"
        switch vendor {
        case PCIIdentity.intel:
            return Diagnosis(
                code: .decodesOnly, device: device, isFatal: true, problem: problem,
                remedy: "Intel's full build encodes on more chips" + nonFree, command: fullBuild)
        default:
            return Diagnosis(
                code: .decodesOnly, device: device, isFatal: true, problem: problem,
                remedy: "use another encoder or GPU, or a build of the driver that has the codecs")
        }
    }
}

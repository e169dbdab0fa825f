// SPDX-License-Identifier: MIT

import EncoderAPI
import VAAPIBackend

/// Nodes that open: drivers that do not start, or that offer less than there might be.
extension Doctor {
    /// A device that opens, and whose driver does not answer.
    static func unopened(
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
        case _ where !facts.driverVariables.isEmpty && didStart(error):
            diagnosis(
                .deviceFails,
                "the driver that \(facts.driverVariables.joined(separator: " and ")) leads to does not start: try without",
                "unset \(facts.driverVariables.joined(separator: " "))")
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
        let chip = IntelChip(device.pci)
        if !device.isNode {
            return missing(
                "the X server has no GPU that encodes: name a render node, --device /dev/dri/renderD128", nil)
        }
        if didStart(error), chip != .beforeIHD {
            return Diagnosis(
                code: .deviceFails, device: device.path, isFatal: true, problem: error.reason,
                remedy: "the driver is installed and does not start: it may be too old for the GPU, or for the kernel, "
                    + "whose messages tell more", command: "sudo dmesg | grep -iE 'drm|i915|xe|amdgpu'")
        }
        switch device.pci?.vendor {
        case PCIIdentity.intel where chip == .beforeIHD:
            return missing(
                "install Intel's older driver, i965_drv_video.so; then encbench takes it with --device \(device.path)",
                "sudo apt install i965-va-driver")
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

    /// Whether libva found a driver's file and ran it: its message names the file and this.
    private static func didStart(_ error: EncoderError) -> Bool { error.reason.contains("init failed") }

    // MARK: - A driver

    static func answers(_ answers: VADeviceFacts, of device: GPUFacts.Device) -> [Diagnosis] {
        let offers = answers.entryPoints.map {
            GPUFacts.Offer(codec: $0.codec, isLowPower: $0.isLowPower, rateControls: $0.rateControls)
        }
        return diagnoses(
            of: answers.driver, isUsedOnlyByName: answers.isUsedOnlyByName, offers: offers, device: device.path,
            pci: device.pci)
    }

    /// What is wrong with a driver, by what it calls itself and what it offers.
    static func diagnoses(
        of driver: String, isUsedOnlyByName: Bool, offers: [GPUFacts.Offer], device: String, pci: PCIIdentity?
    ) -> [Diagnosis] {
        guard !offers.isEmpty else { return [decodesOnly(device, vendor: pci?.vendor)] }
        let chip = IntelChip(pci)
        var found: [Diagnosis] = []
        if isUsedOnlyByName {
            found.append(
                Diagnosis(
                    code: .usedOnlyByName, device: device, isFatal: false,
                    problem: "some builds of \(driver) end the process where they encode",
                    remedy: (chip == .beforeIHD
                        ? "" : "install Intel's newer driver iHD, in its full build on Broadwell; ")
                        + "encbench takes this one with --device \(device)"))
        }
        guard driver.contains("iHD driver") else { return found }
        let lowPower = offers.filter(\.isLowPower)
        if lowPower.contains(where: { $0.rateControls == ["CQP"] }) {
            found.append(firmwareMissing(device, chip))
        }
        if lowPower.count == offers.count, chip?.isLowPowerOnly != true {
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

    private static func firmwareMissing(_ device: String, _ chip: IntelChip?) -> Diagnosis {
        let option: String
        switch chip {
        case nil: option = ", and see that i915 loads it: up to Rocket Lake it does with its option enable_guc=2 alone"
        case let chip? where chip.needsFirmwareOption: option = ", let i915 load it (enable_guc=2)"
        default: option = ": the kernel loads it by itself on this chip"
        }
        let needsOption = chip?.needsFirmwareOption == true
        return Diagnosis(
            code: .firmwareMissing, device: device, isFatal: false,
            problem: "low-power encoding has constant quantizers only: the HuC firmware is not loaded",
            remedy: "install the firmware (linux-firmware's folder i915)\(option); then restart. "
                + "\(sources("non-free-firmware"))",
            command: "sudo apt install firmware-misc-nonfree"
                + (needsOption
                    ? " && echo 'options i915 enable_guc=2' | sudo tee /etc/modprobe.d/i915-huc.conf && "
                        + "sudo update-initramfs -u" : ""))
    }

    private static let fullBuild = "sudo apt install intel-media-va-driver-non-free"
    private static let nonFree = ". " + sources("non-free")

    /// Where apt gets a package that is not in Debian's main component.
    private static func sources(_ component: String) -> String {
        "On Debian the sources of apt (/etc/apt/sources.list, or debian.sources in sources.list.d) need the component "
            + "\(component) behind main, and apt update"
    }

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

// SPDX-License-Identifier: MIT

import EncoderAPI
import VAAPIBackend

/// Says what is wrong with a machine's GPUs and how to put it right: pure.
enum Doctor {
    /// What is wrong, the machine before its devices.
    static func diagnoses(_ facts: GPUFacts) -> [Diagnosis] {
        let found = (machine(facts) + facts.devices.flatMap { device($0, in: facts) })
            .map { facts.isRoot ? $0.forRoot : $0 }
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
}

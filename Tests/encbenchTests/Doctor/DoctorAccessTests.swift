// SPDX-License-Identifier: MIT

import Testing

@testable import encbench

@Suite struct DoctorAccessTests {
    private static let node = "/dev/dri/renderD128"

    /// A machine with one node that does not open.
    private static func machine(
        _ denial: GPUFacts.Denial, isContainer: Bool = false, isRoot: Bool = false
    ) -> GPUFacts {
        let device = GPUFacts.Device(path: node, pci: PCIIdentity(vendor: 0x8086, device: 1), access: .denied(denial))
        return GPUFacts(devices: [device], isContainer: isContainer, hasNodes: true, isRoot: isRoot)
    }

    @Test(
        "a node that is denied is told why, by mode, group and who asks, and the command that helps there",
        arguments: [
            (machine(.init(group: "render")), "for the group render", "sudo usermod -aG render \"$USER\""),
            (machine(.init(group: "video")), "for the group video", "sudo usermod -aG video \"$USER\""),
            (
                machine(.init(group: "jane")), "for another group than render",
                "sudo usermod -aG \"$(stat -c %G /dev/dri/renderD128)\" \"$USER\""
            ),
            (machine(.init(group: "render", isMember: true)), "since you logged in", nil),
            (
                machine(.init(group: nil)), "its group has no name",
                "sudo groupadd -g \"$(stat -c %g /dev/dri/renderD128)\" gpu && sudo usermod -aG gpu \"$USER\""
            ),
            (machine(.init(group: nil), isContainer: true), "its group has no name", "stat -c %g /dev/dri/renderD128"),
            (
                machine(.init(mode: 0o600, group: "video", isMember: true, isInGroup: true)), "mode is 0600",
                "sudo chmod 0660 /dev/dri/renderD128"
            ),
            (
                machine(.init(mode: 0o600, group: "video")), "mode is 0600",
                "sudo chmod 0660 /dev/dri/renderD128 && sudo usermod -aG video \"$USER\""
            ),
            (
                machine(.init(mode: 0o600, group: "root")), "mode is 0600 and its group root",
                "sudo chgrp render /dev/dri/renderD128 && sudo chmod 0660 /dev/dri/renderD128"
                    + " && sudo usermod -aG render \"$USER\""
            ),
            (
                machine(.init(mode: 0o660, group: "root")), "its group root",
                "sudo chgrp render /dev/dri/renderD128 && sudo usermod -aG render \"$USER\""
            ),
            (machine(.init(mode: 0o600, group: "root"), isContainer: true), "mode is 0600 and its group root", nil),
            (
                machine(.init(group: "render", isMember: true, isInGroup: true)), "mode 0660 lets this process in",
                "sudo dmesg | grep -iE 'denied|avc'"
            ),
            (
                machine(.init(mode: 0o666, group: "render")), "mode 0666 lets this process in",
                "sudo dmesg | grep -iE 'denied|avc'"
            ),
            (machine(.init(group: "render"), isContainer: true, isRoot: true), "to root", nil),
            (machine(.init(group: "render", isNotPermitted: true), isContainer: true), "not permitted", nil),
            (machine(.init(group: "render", isNotPermitted: true)), "not permitted", nil),
        ] as [(GPUFacts, String, String?)])
    func denials(facts: GPUFacts, problem: String, command: String?) {
        let found = Doctor.diagnoses(facts)
        #expect(found.map(\.code) == [.accessDenied])
        #expect(found.map(\.command) == [command])
        #expect(found.allSatisfy { $0.isFatal && $0.problem.contains(problem) && !$0.remedy.isEmpty })
    }

    @Test("nobody is told to join the group root", arguments: [0o600, 0o640, 0o660], [true, false])
    func rootsGroup(mode: Int, isContainer: Bool) {
        let found = Doctor.diagnoses(Self.machine(.init(mode: mode, group: "root"), isContainer: isContainer))
        #expect(found.allSatisfy { $0.command?.contains("-aG root") != true && !$0.remedy.contains("join the group") })
        #expect(found.allSatisfy { $0.remedy.contains("udev") })
    }

    @Test("a node of a container that was only mounted is told of --device, and root's is told of no group")
    func containers() {
        let mounted = Doctor.diagnoses(Self.machine(.init(group: "render", isNotPermitted: true), isContainer: true))
        #expect(mounted[0].remedy.contains("docker run --device /dev/dri"))
        let root = Doctor.diagnoses(Self.machine(.init(group: "render"), isContainer: true, isRoot: true))
        #expect(!root[0].remedy.contains("NUMBER") && root[0].command == nil)
    }

    @Test("the group of somebody's own is not told", arguments: ["render", "video", "jane"])
    func group(name: String) {
        let diagnosis = Doctor.diagnoses(Self.machine(.init(group: name)))[0]
        #expect(diagnosis.problem.contains(name) == (name != "jane"))
        #expect(diagnosis.command?.contains(name) == (name != "jane"))
    }

    @Test(
        "another node than there is asks a container for the host's GPU only where it has none",
        arguments: [true, false])
    func otherNode(hasNodes: Bool) {
        var facts = GPUFacts(isContainer: true, hasNodes: hasNodes)
        facts.devices = [GPUFacts.Device(path: "/dev/dri/renderD129", access: .noNode("No such file or directory"))]
        let found = Doctor.diagnoses(facts)
        #expect(found.map(\.code) == [hasNodes ? .noDevice : .notInContainer])
        #expect(found[0].remedy.contains("docker") != hasNodes)
    }
}

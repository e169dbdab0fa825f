// SPDX-License-Identifier: MIT

import VAAPIBackend

/// Nodes that do not open.
extension Doctor {
    static let containerRemedy =
        "start the container with the host's GPU: docker run --device /dev/dri, and the group of the node"

    /// A file that is no GPU's, or is not there.
    static func noNode(_ path: String, _ reason: String, in facts: GPUFacts) -> Diagnosis {
        let needsContainer = facts.isContainer && !facts.hasNodes
        return Diagnosis(
            code: needsContainer ? .notInContainer : .noDevice, device: path, isFatal: true, problem: reason,
            remedy: needsContainer
                ? containerRemedy
                : "name a render node that there is; encbench probe shows all of them without --device")
    }

    /// A node that the kernel keeps from this process.
    static func denied(_ path: String, _ denial: GPUFacts.Denial, in facts: GPUFacts) -> Diagnosis {
        func diagnosis(_ problem: String, _ remedy: String, _ command: String? = nil) -> Diagnosis {
            Diagnosis(
                code: .accessDenied, device: path, isFatal: true, problem: problem, remedy: remedy, command: command)
        }
        if denial.isNotPermitted {
            return diagnosis(
                "operation not permitted: the node is there, and this process may use no such device",
                facts.isContainer
                    ? containerRemedy + "; a node that was mounted (docker run -v) does not open"
                    : "what started this process keeps it from devices: in a service of systemd, DeviceAllow=\(path) rw"
            )
        }
        if facts.isRoot {
            return diagnosis(
                "permission denied, to root, whom modes and groups of files do not keep out",
                facts.isContainer
                    ? "root of a container without the host's privileges is a user there, whom the node's group must "
                        + "have (podman run --group-add keep-groups), or SELinux or AppArmor of the host keeps it out"
                    : "SELinux, AppArmor or a file system that is mounted nodev keeps it out: see the kernel's messages",
                facts.isContainer ? nil : "sudo dmesg | grep -iE 'denied|avc'")
        }
        if denial.mode & 0o006 == 0o006 || denial.isInGroup && denial.opensToGroup {
            return diagnosis(
                "permission denied, though the node's mode \(denial.octalMode) lets this process in",
                "SELinux, AppArmor, an access list or a mount without devices keeps it out: see the kernel's messages",
                "sudo dmesg | grep -iE 'denied|avc'")
        }
        guard denial.opensToGroup, denial.group != "root" else { return closedToGroup(path, denial, in: facts) }
        let problem = "permission denied\(owner(denial))"
        if facts.isContainer {
            return diagnosis(
                problem,
                "start the container with the number of the node's group on the host: docker run --group-add NUMBER",
                "stat -c %g \(path)")
        }
        if denial.isMember {
            return diagnosis(problem + ", which has you since you logged in", "log out and in again")
        }
        return diagnosis(
            problem,
            denial.group == nil
                ? "give the group's number a name, join it, then log out and in again"
                : "join the group, then log out and in again", joining(path, denial))
    }

    /// A node that only its owner opens, or whose group is root's: nobody is to join that.
    private static func closedToGroup(_ path: String, _ denial: GPUFacts.Denial, in facts: GPUFacts) -> Diagnosis {
        let isRoots = denial.group == "root"
        let problem =
            "permission denied: the node's mode is \(denial.octalMode)"
            + (isRoots ? " and its group root" : ", which keeps its group out")
        let udev = "udev gives nodes to the group render with mode 0660, and does not seem to have done so"
        if facts.isContainer {
            return Diagnosis(
                code: .accessDenied, device: path, isFatal: true, problem: problem,
                remedy: "\(udev): let it run on the host, or change mode and group there, then start the container "
                    + "with --group-add and the group's number")
        }
        var commands = isRoots ? ["sudo chgrp render \(path)"] : []
        if !denial.opensToGroup { commands.append("sudo chmod 0660 \(path)") }
        if isRoots {
            commands.append("sudo usermod -aG render \"$USER\"")
        } else if !denial.isMember, !denial.isInGroup {
            commands.append(joining(path, denial))
        }
        return Diagnosis(
            code: .accessDenied, device: path, isFatal: true, problem: problem,
            remedy: "\(udev): let udev run, or do so by hand until the next restart; who joins a group has to log out "
                + "and in again", command: commands.joined(separator: " && "))
    }

    /// Whose node it is.
    ///
    /// A group of somebody's own is named like its owner, and diagnoses are sent to others: the command finds it out.
    private static func owner(_ denial: GPUFacts.Denial) -> String {
        guard let group = denial.group else { return ": its group has no name here" }
        return commonGroups.contains(group) ? ": it is for the group \(group)" : ": it is for another group than render"
    }

    private static func joining(_ path: String, _ denial: GPUFacts.Denial) -> String {
        guard let group = denial.group else {
            return "sudo groupadd -g \"$(stat -c %g \(path))\" gpu && sudo usermod -aG gpu \"$USER\""
        }
        let name = commonGroups.contains(group) ? group : "\"$(stat -c %G \(path))\""
        return "sudo usermod -aG \(name) \"$USER\""
    }

    /// The groups that distributions give GPUs to.
    private static let commonGroups: Set = ["render", "video"]
}

// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Glibc
import VAAPIBackend

extension GPUFacts {
    /// Looks at this machine's render nodes, or only at the device that is named.
    static func current(device: VADevice? = nil) -> GPUFacts {
        var facts = GPUFacts()
        do throws(EncoderError) {
            try VAAPIBackend.checkLibrary()
        } catch {
            facts.libraryFailure = error.reason
        }
        let nodes = RenderNode.all()
        let devices = device.map { [$0] } ?? nodes.map(VADevice.renderNode)
        facts.hasNodes = !nodes.isEmpty
        facts.isRoot = geteuid() == 0
        facts.devices = devices.map(Device.init(looking:))
        facts.adapters = displayAdapters()
        facts.driverVariables = ["LIBVA_DRIVERS_PATH", "LIBVA_DRIVER_NAME"].filter { getenv($0) != nil }
        facts.isDebian = SmallFile.text("/etc/os-release").map(SystemFacts.isDebian(osRelease:)) ?? false
        let marks: [String] = ["/.dockerenv", "/run/.containerenv"]
        facts.isContainer = marks.contains { Glibc.access($0, F_OK) == 0 }
        let flags = SmallFile.text("/proc/cpuinfo").map { $0.split(whereSeparator: \.isWhitespace) } ?? []
        facts.isVirtualMachine = flags.contains("hypervisor")
        return facts
    }

    private static func displayAdapters() -> [PCIIdentity] {
        let folder = "/sys/bus/pci/devices"
        return (FolderListing.names(folder) ?? []).compactMap { name in
            // Class 3 of PCI: display controllers.
            guard let text = SmallFile.text("\(folder)/\(name)/class"), text.hasPrefix("0x03") else { return nil }
            return PCIIdentity(folder: "\(folder)/\(name)")
        }
    }
}

extension GPUFacts.Device {
    /// Opens a device and asks its driver.
    fileprivate init(looking device: VADevice) {
        path = device.description
        if isNode {
            let folder = "/sys/class/drm/\(device.name)/device"
            pci = PCIIdentity(folder: folder)
            kernelDriver = SymbolicLink.target(of: "\(folder)/driver")
            access = GPUFacts.Access(path)
        }
        guard access == .open else { return }
        answers = Result { () throws(EncoderError) in
            try VAAPIBackend.facts(of: device, logger: StandardErrorLog.logger(isVerbose: false))
        }
    }
}

extension GPUFacts.Access {
    /// Tries to open a node.
    fileprivate init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let code = errno
            let reason = String(cString: strerror(code))
            self = code == ENOENT || code == ENOTDIR ? .noNode(reason) : .failed(reason)
            return
        }
        guard status.st_mode & S_IFMT == S_IFCHR else {
            self = .noNode("no device")
            return
        }
        guard (status.st_rdev >> 8) & 0xFFF == Self.majorOfGPUs else {
            self = .noNode("a device that is no GPU's")
            return
        }
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
        guard descriptor < 0 else {
            close(descriptor)
            self = .open
            return
        }
        let code = errno
        guard code == EACCES || code == EPERM else {
            self = .failed(String(cString: strerror(code)))
            return
        }
        let group = getgrgid(status.st_gid)
        self = .denied(
            GPUFacts.Denial(
                mode: Int(status.st_mode & 0o777), group: group.map { String(cString: $0.pointee.gr_name) },
                isMember: group.map { Self.lists(UserName.current, $0.pointee) } ?? false,
                isInGroup: Self.processHas(status.st_gid), isNotPermitted: code == EPERM))
    }

    /// The number of the kernel's subsystem DRM among character devices.
    private static let majorOfGPUs: dev_t = 226

    /// Whether this process has a group, by number.
    private static func processHas(_ group: gid_t) -> Bool {
        guard getegid() != group else { return true }
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = getgroups(Int32(groups.count), &groups)
        return groups.prefix(Int(max(0, count))).contains(group)
    }

    /// Whether the system's list of a group has a user, also one who has not logged in since.
    private static func lists(_ user: String?, _ group: group) -> Bool {
        var member = group.gr_mem
        while let name = member?.pointee {
            if String(cString: name) == user { return true }
            member = member?.successor()
        }
        return false
    }
}

extension PCIIdentity {
    /// Reads the kernel's folder of a device.
    fileprivate init?(folder: String) {
        func number(_ name: String) -> Int? {
            SmallFile.text("\(folder)/\(name)").flatMap { text in
                Int(text.dropFirst(2).prefix { $0.isHexDigit }, radix: 16)
            }
        }
        guard let vendor = number("vendor"), let device = number("device") else { return nil }
        self.init(vendor: vendor, device: device)
    }
}

/// Who runs this process.
private enum UserName {
    static var current: String? { getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } }
}

/// Links.
private enum SymbolicLink {
    /// The last component of what a link points to.
    static func target(of link: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = readlink(link, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "/").last.map(String.init)
    }
}

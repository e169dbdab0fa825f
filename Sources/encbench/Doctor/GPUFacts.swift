// SPDX-License-Identifier: MIT

import EncoderAPI
import VAAPIBackend

/// What can be seen of a machine's GPUs, as the doctor needs it.
struct GPUFacts: Sendable {
    /// One render node, or another way to a driver.
    struct Device: Sendable {
        var path: String
        /// Nil for an X server.
        var pci: PCIIdentity?
        /// What the kernel drives it with, such as "i915".
        var kernelDriver: String?
        var access = Access.open
        /// The driver's answers, or why there are none; nil where the device does not open.
        var answers: Result<VADeviceFacts, EncoderError>?

        /// Whether it is a file, and no X server.
        var isNode: Bool { path.hasPrefix("/") }
    }

    /// Whether a node opens for reading and writing.
    enum Access: Sendable, Equatable {
        case open
        /// There is no such file, or it is no device.
        case noNode(String)
        case denied(Denial)
        case failed(String)
    }

    /// What keeps a process from a node that there is.
    struct Denial: Sendable, Equatable {
        /// The node's bits of permission: 0o660.
        var mode = 0o660
        /// Nil where the system has no name for the group's number.
        var group: String?
        /// Whether the system's list of the group has the user.
        var isMember = false
        /// Whether the process has the group.
        var isInGroup = false
        /// Whether the kernel answers EPERM, as where a control group keeps devices from a process, and not EACCES.
        var isNotPermitted = false

        /// Whether the mode lets the group read and write.
        var opensToGroup: Bool { mode & 0o060 == 0o060 }
        /// "0660".
        var octalMode: String {
            let digits = String(mode, radix: 8)
            return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }

    /// What of a profile at an entry point the doctor judges.
    struct Offer: Sendable, Equatable {
        var codec = VideoCodec.h264
        var isLowPower: Bool
        var rateControls: [String]
    }

    var devices: [Device] = []
    /// Display adapters on the PCI bus, those too that have no render node.
    var adapters: [PCIIdentity] = []
    /// Why libva cannot be used; nil where it can.
    var libraryFailure: String?
    /// Variables of the environment that are set and tell libva which driver to take.
    var driverVariables: [String] = []
    /// Whether it is Debian 12, whose names of packages the doctor knows.
    var isDebian = true
    var isContainer = false
    /// Whether there are render nodes, of which `devices` may be none.
    var hasNodes = false
    /// Whether the process is root's.
    var isRoot = false
    var isVirtualMachine = false
}

/// Who made a PCI device, and which of theirs it is.
struct PCIIdentity: Sendable, Hashable, CustomStringConvertible {
    var vendor: Int
    var device: Int

    /// "8086:9a49".
    var description: String { Self.hexadecimal(vendor) + ":" + Self.hexadecimal(device) }

    /// Four digits.
    private static func hexadecimal(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    static let intel = 0x8086
    static let amd = 0x1002
    static let nvidia = 0x10de
}

// SPDX-License-Identifier: MIT

/// Something that keeps a machine from encoding on a GPU, or from doing it better.
struct Diagnosis: Codable, Equatable, Sendable {
    /// What kind of thing is wrong.
    enum Code: String, Codable, Sendable, CaseIterable {
        case libraryMissing = "library-missing"
        case noDevice = "no-device"
        case notInContainer = "not-in-container"
        case noKernelDriver = "no-kernel-driver"
        case accessDenied = "access-denied"
        case deviceFails = "device-fails"
        case driverMissing = "driver-missing"
        case decodesOnly = "decodes-only"
        case usedOnlyByName = "used-only-by-name"
        case firmwareMissing = "firmware-missing"
        case lowPowerOnly = "low-power-only"
    }

    let code: Code
    /// The device it is about; nil for the machine.
    var device: String?
    /// Whether nothing can be encoded for it; else there is only less to choose from.
    let isFatal: Bool
    var problem: String
    /// What to do about it, in words.
    var remedy: String
    /// A command of the shell that does it on this system; nil where none is known.
    var command: String?

    /// This diagnosis for another system than Debian 12, whose packages may have other names.
    var onOtherSystems: Diagnosis {
        guard let command, command.contains("apt install") else { return self }
        var other = self
        other.remedy += " (on Debian 12: \(command))"
        other.command = nil
        return other
    }

    /// This diagnosis for root, who may have no sudo.
    var forRoot: Diagnosis {
        var own = self
        own.command = command?.replacing("sudo ", with: "")
        return own
    }

    enum CodingKeys: String, CodingKey {
        case code, device, problem, remedy, command
        case isFatal = "fatal"
    }
}

// SPDX-License-Identifier: MIT

/// What the doctor has to know of an Intel GPU's generation, by its number on the PCI bus.
enum IntelChip: Sendable, Equatable {
    /// Before Broadwell, Bay Trail or Cherry Trail: the driver iHD has nothing for it.
    case beforeIHD
    /// Broadwell.
    case broadwell
    /// Skylake to Rocket Lake: the kernel loads the HuC firmware where its option asks for it.
    case beforeAlderLake
    /// Elkhart Lake and Jasper Lake, which are as those, and whose one entry point is that of low power.
    case elkhartLake
    /// Alder Lake, Raptor Lake and DG1: the kernel loads the HuC firmware unasked.
    case alderLake
    /// DG2, Meteor Lake and later: loads it unasked, and low power is the one entry point.
    case fromDG2

    /// The generation; nil for other vendors' devices and numbers that are not known.
    init?(_ identity: PCIIdentity?) {
        guard let identity, identity.vendor == PCIIdentity.intel else { return nil }
        // Broxton has a number between those of Haswell.
        if identity.device == 0x0A84 {
            self = .beforeAlderLake
            return
        }
        // The upper byte tells the generation; Linux lists the numbers in include/drm/intel/pciids.h.
        switch identity.device >> 8 {
        case 0x01, 0x04, 0x0A, 0x0C, 0x0D, 0x0F, 0x22: self = .beforeIHD
        case 0x16: self = .broadwell
        case 0x19, 0x1A, 0x5A, 0x59, 0x31, 0x3E, 0x87, 0x9B, 0x8A, 0x9A, 0x4C: self = .beforeAlderLake
        case 0x45, 0x4E: self = .elkhartLake
        case 0x46, 0x49, 0xA7: self = .alderLake
        case 0x4F, 0x56, 0x7D, 0x64, 0xE2, 0xB0: self = .fromDG2
        default: return nil
        }
    }

    /// Whether low power is its one entry point, in every build of the driver.
    var isLowPowerOnly: Bool { self == .elkhartLake || self == .fromDG2 }

    /// Whether the kernel loads the HuC firmware only where its option `enable_guc` asks for it.
    var needsFirmwareOption: Bool { self == .beforeAlderLake || self == .elkhartLake }
}

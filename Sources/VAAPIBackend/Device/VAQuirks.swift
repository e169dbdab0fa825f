// SPDX-License-Identifier: MIT

/// What drivers do that no attribute says.
struct VAQuirks: OptionSet, Sendable, Hashable {
    let rawValue: Int

    /// A context for pictures with a side below 32 is refused, whatever the surface attributes say.
    static let refusesSidesBelow32 = VAQuirks(rawValue: 1 << 0)
    /// Derived images can be of tiled memory: pictures are put into surfaces, never written into them.
    static let derivesTiledImages = VAQuirks(rawValue: 1 << 1)
    /// Some builds abort the process where they encode: only a device that the program named is used.
    static let abortsInSomeBuilds = VAQuirks(rawValue: 1 << 2)
    /// Levels of quality are bits of presets, not a scale.
    static let hasQualityBits = VAQuirks(rawValue: 1 << 3)

    /// Pictures begin with a delimiter where the driver writes the headers itself.
    static let delimitsOwnHeaders = VAQuirks(rawValue: 1 << 4)

    init(rawValue: Int) { self.rawValue = rawValue }

    /// The quirks of a driver, by what it calls itself; none for drivers that are not in the table.
    init(ofDriver name: String) {
        self = Self.table.first { name.contains($0.driver) }?.quirks ?? []
    }

    /// The first row whose text the driver's name contains counts.
    private static let table: [(driver: String, quirks: VAQuirks)] = [
        // Seen with 23.1.1: vaCreateContext refuses 16x16.
        ("iHD driver", [.refusesSidesBelow32]),
        // Seen with 2.4.1 as Debian builds it without shaders: vaCreateContext ends in a failed assertion.
        ("i965 driver", [.refusesSidesBelow32, .abortsInSomeBuilds]),
        ("Mesa Gallium driver", [.derivesTiledImages, .hasQualityBits, .delimitsOwnHeaders]),
    ]
}

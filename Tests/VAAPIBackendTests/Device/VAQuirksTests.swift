// SPDX-License-Identifier: MIT

import Testing

@testable import VAAPIBackend

@Suite struct VAQuirksTests {
    @Test(
        "a driver's name tells its quirks, whatever version and chip stand in it",
        arguments: [
            ("Intel iHD driver for Intel(R) Gen Graphics - 23.1.1 ()", [.refusesSidesBelow32]),
            ("Intel iHD driver for Intel(R) Gen Graphics - 25.3.4 (abc)", [.refusesSidesBelow32]),
            ("Intel i965 driver for Intel(R) Broadwell - 2.4.1", [.refusesSidesBelow32, .abortsInSomeBuilds]),
            (
                "Mesa Gallium driver 22.3.6 for AMD Radeon Graphics",
                [.derivesTiledImages, .hasQualityBits, .delimitsOwnHeaders]
            ),
            ("softva: strict", []),
        ] as [(String, VAQuirks)])
    func table(name: String, quirks: VAQuirks) {
        #expect(VAQuirks(ofDriver: name) == quirks)
    }
}

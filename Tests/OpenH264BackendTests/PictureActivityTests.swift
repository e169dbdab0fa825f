// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@testable import OpenH264Backend

@Suite struct PictureActivityTests {
    @Test("samples of 0 and 255 at random deviate from their blocks' means by nearly all that they can")
    func noise() throws {
        let noise = PictureActivity(try .noise(width: 128, height: 96, at: 0, isFlat: false))
        #expect(noise.deviation > 120 && noise.deviation <= 127.5)
        // Steps of 123 / 12 and 123 / 8.
        #expect((noise.leastQuantizer(hasSlices: false), noise.leastQuantizer(hasSlices: true)) == (25, 28))
    }

    @Test("flat pictures fit at every quantizer, and so do those without a whole block", arguments: [(64, 48), (2, 2)])
    func flat(width: Int, height: Int) throws {
        let flat = PictureActivity(try .noise(width: width, height: height, at: 0, isFlat: true))
        #expect((flat.deviation, flat.leastQuantizer(hasSlices: true)) == (0, 0))
    }
}

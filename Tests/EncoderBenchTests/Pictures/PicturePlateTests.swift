// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderBench

@Suite struct PicturePlateTests {
    @Test("pictures of many pairs are smaller, so that all of them have no more samples than those of a page's budget")
    func sizes() {
        #expect(PicturePlate.size(plates: 1) == PicturePlate.size(plates: 24))
        var last = PicturePlate.size(plates: 1)
        #expect(last == (320, 176))
        let budget = 24 * 320 * 180
        for plates in 2...120 {
            let size = PicturePlate.size(plates: plates)
            #expect(size.width <= last.width && size.height <= last.height)
            #expect(size.width % 16 == 0 && size.height % 16 == 0 && plates * size.width * size.height <= budget)
            last = size
        }
        #expect(PicturePlate.size(plates: 10_000) == (112, 64))
    }
}

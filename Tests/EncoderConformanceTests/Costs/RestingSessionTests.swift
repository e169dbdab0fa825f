// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderConformance

@Suite struct RestingSessionTests {
    @Test("buffers that are in flight now and then, or made once, are no growth, and an entry for each picture is")
    func growth() {
        // A driver's, at a load of sixteen on two cores.
        let noise = [30_812_080, 30_816_064, 30_818_656, 31_941_200, 30_815_728, 32_240_672]
        #expect(!Scenario.isGrowth(noise, least: 20 * 1024))
        // libx264's, where something is made once.
        let step = [43_755_936, 43_753_792, 43_756_816, 43_905_552, 43_904_576, 43_903_360]
        #expect(!Scenario.isGrowth(step, least: 20 * 1024))
        let kept = [9_444_480, 9_570_880, 9_696_112, 9_820_288, 9_951_168, 10_072_048]
        #expect(Scenario.isGrowth(kept, least: 20 * 1024))
        #expect(
            !Scenario.isGrowth([8_895_408, 8_895_504, 8_898_608, 8_899_568, 8_904_336, 8_902_192], least: 20 * 1024))
    }
}

// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite struct SeededGeneratorTests {
    @Test("the sequence is SplitMix64's")
    func sequence() {
        // The first outputs for seed 1234567 that the algorithm's author publishes.
        var generator = SeededGenerator(seed: 1_234_567)
        #expect(generator.next() == 6_457_827_717_110_365_317)
        #expect(generator.next() == 3_203_168_211_198_807_973)
    }

    @Test("a generator made from a printed seed repeats the sequence")
    func repeats() {
        var first = SeededGenerator()
        var second = SeededGenerator(seed: first.seed)
        #expect(first.bytes(count: 100) == second.bytes(count: 100))
    }
}

// SPDX-License-Identifier: MIT

import Testing

@testable import LibAV

@Suite struct StereoMixTests {
    @Test("channels are heard on the side that the file says, and both sides stay within full scale")
    func weights() {
        // 5.1: front left and right, center, low frequencies, back left and right.
        let mix = StereoMix(channelCount: 6, mask: 0x3F)
        let sums = (mix.weights.reduce(0) { $0 + $1.left }, mix.weights.reduce(0) { $0 + $1.right })
        #expect(abs(sums.0 - 1) < 0.0001 && abs(sums.1 - 1) < 0.0001)
        #expect(mix.weights[0].right == 0 && mix.weights[1].left == 0 && mix.weights[3] == (0, 0))
        #expect(mix.weights[2].left == mix.weights[2].right && mix.weights[4].right == 0 && mix.weights[5].left == 0)
        let mixed = mix.apply(to: [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
        #expect(mixed[0] > 0.4 && mixed[1] == 0 && mixed[2] == 0 && mixed[3] > 0.4)
    }

    @Test("channels without places are left, right, and both")
    func unknown() {
        let mix = StereoMix(channelCount: 3, mask: 0)
        #expect(mix.weights[0].right == 0 && mix.weights[1].left == 0)
        #expect(mix.weights[2].left == mix.weights[2].right && mix.weights[2].left > 0)
        #expect(StereoMix(channelCount: 4, mask: 0x3) == StereoMix(channelCount: 4, mask: 0))
    }
}

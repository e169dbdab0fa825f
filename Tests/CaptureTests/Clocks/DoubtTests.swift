// SPDX-License-Identifier: MIT

@testable import Capture
import TestSupport
import Testing

@Suite struct DoubtTests {
    @Test("of a quick server, a picture that took more than 20 ms is left out, and those behind it are known again")
    func quick() {
        var random = SeededGenerator()
        var doubt = Doubt()
        let usual = (0..<1000).map { _ in doubt.isKnown(.random(in: 0...20_000, using: &random)) }
        #expect(usual.allSatisfy { $0 })
        for _ in 0..<100 { _ = doubt.isKnown(1000) }
        let known = [20_001, 160_000, 20_000].map { doubt.isKnown($0) }
        #expect(known == [false, false, true])
    }

    @Test("pictures of a server that is always slow are known as well as they can be")
    func slow() {
        var doubt = Doubt()
        let usual = (0..<100).map { _ in doubt.isKnown(90_000) }
        #expect(usual.allSatisfy { $0 })
        let known = [200_000, 271_000].map { doubt.isKnown($0) }
        #expect(known == [true, false])
        // One that becomes slow is so after a few pictures.
        var other = Doubt()
        for _ in 0..<100 { _ = other.isKnown(1000) }
        let later = (0..<15).map { _ in other.isKnown(90_000) }
        #expect(later.first == false && later.last == true && later.drop { !$0 }.allSatisfy { $0 })
    }
}

// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EncoderBench

@Suite struct SignedRankTestTests {
    /// Rows are what `scipy.stats.wilcoxon(differences, method="exact")` of scipy 1.17.1 gives, two of them as scipy's
    /// and R's pages of the test print them; those with ties are by `PermutationMethod` over all choices of signs.
    @Test("sums and probabilities are those of scipy and of R", arguments: SignedRankRow.all)
    func published(row: SignedRankRow) throws {
        let test = try #require(SignedRankTest(row.differences))
        #expect(min(test.positiveRanks, test.negativeRanks) == row.statistic)
        #expect(abs(test.probability - row.probability) < 1e-12, "\(test.probability)")
        let turned = try #require(SignedRankTest(row.differences.map { -$0 }))
        #expect(turned.probability == test.probability && turned.positiveRanks == test.negativeRanks)
    }

    @Test("the probability is the share of all choices of signs that are as one-sided, with ties and zeros too")
    func allSigns() throws {
        var random = SeededGenerator()
        for _ in 0..<60 {
            let count = Int.random(in: 1...9, using: &random)
            let differences = (0..<count).map { _ in Double(Int.random(in: -4...4, using: &random)) }
            let test = try #require(SignedRankTest(differences))
            let sizes = differences.filter { $0 != 0 }.map(abs)
            #expect(test.count == sizes.count)
            // The mean place of equal sizes, by counting.
            let ranks = sizes.map { size in
                Double(sizes.count { $0 < size }) + Double(sizes.count { $0 == size } + 1) / 2
            }
            let distance = abs(test.positiveRanks - test.negativeRanks)
            let choices = 0..<(1 << sizes.count)
            let asFar = choices.count { choice in
                let sum = ranks.indices.reduce(0.0) { $0 + (choice >> $1 & 1 == 1 ? ranks[$1] : -ranks[$1]) }
                return abs(sum) >= distance
            }
            #expect(abs(test.probability - Double(asFar) / Double(choices.count)) < 1e-12, "\(differences)")
        }
    }

    @Test("differences of one sign have the least probability that there can be of so many", arguments: 1...40)
    func least(count: Int) throws {
        let test = try #require(SignedRankTest((1...count).map { -Double($0) }))
        #expect(test.probability == SignedRankTest.leastProbability(count: count))
        #expect(test.positiveRanks == 0 && test.negativeRanks == Double(count * (count + 1) / 2))
    }

    @Test("nothing but zeros tells nothing, and what is no number has no test")
    func edges() throws {
        #expect(try #require(SignedRankTest([])).probability == 1)
        #expect(try #require(SignedRankTest([0, 0])).count == 0)
        #expect(SignedRankTest([1, .nan]) == nil && SignedRankTest([1, .infinity]) == nil)
    }
}

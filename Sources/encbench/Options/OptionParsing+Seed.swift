// SPDX-License-Identifier: MIT

import CommandOptions

extension OptionParsing {
    /// The legal seeds in words, for help.
    static let seeds = "0 to \(UInt64.max)"

    /// What random numbers follow from.
    static func seed(_ text: String) throws(OptionError) -> UInt64 {
        guard let seed = UInt64(text) else {
            throw OptionError(.outOfRange, "'\(text)', expected a whole number in 0...\(UInt64.max)")
        }
        return seed
    }
}

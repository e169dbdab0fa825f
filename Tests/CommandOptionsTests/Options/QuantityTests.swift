// SPDX-License-Identifier: MIT

import Testing

@testable import CommandOptions

@Suite struct QuantityTests {
    @Test(
        "k and M are 1000-based, Ki and Mi are 1024-based, and decimals are exact",
        arguments: [
            ("0", 0), ("1000", 1000), ("800k", 800_000), ("2.5M", 2_500_000), ("2.3M", 2_300_000), ("1.5Ki", 1536),
            ("64Ki", 65536), ("0.25Mi", 262_144), ("1Gi", 1_073_741_824), ("4G", 4_000_000_000), ("+7", 7),
            (".5k", 500), ("5.", 5), ("1.000", 1), ("2.5000000000M", 2_500_000), ("0.0009765625Ki", 1),
        ])
    func values(text: String, value: Int) throws {
        #expect(try Quantity.parse(text, unit: "bytes", range: 0...5_000_000_000) == value)
    }

    @Test(
        "what is no number is refused, with examples and the range",
        arguments: ["", "k", "fast", "1e6", "0x10", "1 000", "2..5", "2.5.1M", "2,5M", "10m", "10K", "--1", ".", "١"])
    func notNumbers(text: String) {
        let error = #expect(throws: OptionError.self) { try Quantity.parse(text, unit: "bit/s", range: 1...10) }
        #expect(
            error?.description
                == "'\(text)' is not a number such as 2500, 800k, 2.5M or 64Ki; expected 1...10 bit/s")
    }

    @Test(
        "negative, too large and overflowing values are refused with the range",
        arguments: ["-5", "-1k", "999", "10.001k", "9223372036854775807", "9223372036854775808", "99999999999999G"])
    func outOfRange(text: String) {
        let error = #expect(throws: OptionError.self) { try Quantity.parse(text, unit: "bit/s", range: 1000...10000) }
        #expect(error?.description == "'\(text)' is out of range, expected 1000...10000 bit/s")
    }

    @Test("fractions of a unit are refused", arguments: ["0.5", "1.0001k", "0.3Ki", "0.0000000000000000000001M"])
    func fractions(text: String) {
        let error = #expect(throws: OptionError.self) { try Quantity.parse(text, unit: "bytes", range: 0...10000) }
        #expect(error?.description == "'\(text)' is not a whole number of bytes; expected 0...10000 bytes")
    }
}

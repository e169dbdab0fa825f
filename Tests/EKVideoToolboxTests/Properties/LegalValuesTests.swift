// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EncoderAPI
    import Testing
    import X264Backend

    @testable import EKVideoToolbox

    /// What the log says that a key takes.
    @Suite struct LegalValuesTests {
        @Test(
            "a key's legal values are told with their range",
            arguments: [
                ("AverageBitRate", "a number of 1000.0...1000000000.0"), ("RealTime", "a boolean"),
                ("H264EntropyMode", "one of CAVLC, CABAC"),
                (
                    "DataRateLimits",
                    "bytes and seconds in turn, at most two pairs, each of 0.001...3600 seconds and a rate of "
                        + "1000...1000000000 bit/s"
                ),
            ])
        func words(key: String, expected: String) throws {
            let encoder = try #require(X264Backend().listEncoders().first)
            #expect(PropertyTable.legalValues(of: key as CFString, with: encoder) == expected)
        }
    }
#endif

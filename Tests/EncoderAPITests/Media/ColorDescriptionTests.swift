// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct ColorDescriptionTests {
    /// H.273 tables 2, 3 and 4 without reserved codes; GBR needs 4:4:4.
    private static let legal: (primaries: Set<Int>, transfer: Set<Int>, matrix: Set<Int>) = (
        Set([1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22]), Set([1, 2]).union(4...18), Set([1, 2]).union(4...14)
    )

    @Test("code points are taken when H.273 defines them for 4:2:0 pictures, and only then", arguments: -1...256)
    func codes(code: Int) {
        let rows = [
            (ColorDescription(primaries: code), Self.legal.primaries), (.init(transfer: code), Self.legal.transfer),
            (.init(matrix: code), Self.legal.matrix),
        ]
        for (color, legal) in rows {
            if legal.contains(code) {
                #expect(throws: Never.self) { try color.check() }
            } else {
                #expect(throws: EncoderError.self) { try color.check() }
                #expect(color.writable == ColorDescription())
            }
        }
    }

    @Test("what a library cannot write is refused with what it can")
    func librariesLimit() throws {
        let color = ColorDescription(primaries: 22)
        let error = try #require(throws: EncoderError.self) {
            try color.check(largestPrimaries: ColorDescription.libraryPrimaries)
        }
        #expect(error.code == .invalidValue && error.setting == .color)
        #expect(error.reason.contains("primaries 22, expected one of [1, 2, 4") && error.reason.contains("12]"))
        #expect(color.writable.primaries == 2)
    }

    @Test("GBR conflicts with 4:2:0")
    func identityMatrix() throws {
        let error = try #require(throws: EncoderError.self) { try ColorDescription(matrix: 0).check() }
        #expect(error.code == .conflictingSettings)
    }
}

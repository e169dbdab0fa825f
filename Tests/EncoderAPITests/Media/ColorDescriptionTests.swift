// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct ColorDescriptionTests {
    /// H.273 tables 2, 3 and 4 without reserved codes; GBR needs 4:4:4.
    private static let legal: (primaries: Set<Int>, transfer: Set<Int>, matrix: Set<Int>) = (
        Set([1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22]), Set([1, 2]).union(4...18), Set([1, 2]).union(4...14)
    )

    /// What the row of colors says to one with an encoder whose codes for primaries end at `largest`.
    private func error(_ color: ColorDescription, largest: Int) throws -> EncoderError? {
        var encoder = FakeBackend(hasAllSettings: true).encoder
        encoder.capabilities.largestColorPrimaries = largest
        #expect((color.legal(with: encoder.capabilities) == color) == (try refusal(color, encoder) == nil))
        return try refusal(color, encoder)
    }

    private func refusal(_ color: ColorDescription, _ encoder: EncoderDescription) throws -> EncoderError? {
        var configuration = SessionConfiguration(codec: .h264, width: 16, height: 16)
        configuration.color = color
        let row = try #require(SettingRow.named("ColorPrimaries"))
        do throws(EncoderError) {
            try row.check(configuration, with: encoder)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "codes are taken when H.273 defines them for 4:2:0 pictures and the encoder writes them, and only then",
        arguments: -1...256, [12, 22])
    func codes(code: Int, largest: Int) throws {
        let primaries = Self.legal.primaries.filter { $0 <= largest }
        let rows = [
            (ColorDescription(primaries: code), primaries), (.init(transfer: code), Self.legal.transfer),
            (.init(matrix: code), Self.legal.matrix),
        ]
        for (color, legal) in rows {
            let error = try error(color, largest: largest)
            #expect((error == nil) == legal.contains(code), "\(color)")
            guard let error else { continue }
            #expect(error.code == .invalidValue && error.setting == .color)
            let expected = largest == 22 ? "primaries 1...2, 4...12, 22; " : "primaries 1...2, 4...12; "
            #expect(error.reason.contains("\(code)") && error.reason.contains("expected " + expected))
        }
    }

    @Test("what an encoder cannot write becomes unspecified, and the rest stays")
    func legalPart() {
        var capabilities = FakeBackend().encoder.capabilities
        capabilities.largestColorPrimaries = 12
        let color = ColorDescription(primaries: 22, transfer: 16, matrix: 0, isFullRange: true)
        #expect(color.legal(with: capabilities) == ColorDescription(primaries: 2, transfer: 16, isFullRange: true))
    }
}

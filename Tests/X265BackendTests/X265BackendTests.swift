// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport
import Testing

@testable import X265Backend

@Suite struct X265BackendTests {
    @Test("capabilities name version, depths and ranges")
    func capabilities() throws {
        let encoders = try X265Backend().listEncoders()
        let encoder = try #require(encoders.first)
        #expect(encoders.map(\.id) == ["x265.hevc"] && encoder.codec == .hevc && encoder.displayName == "x265")
        let capabilities = encoder.capabilities
        #expect(encoder.libraryVersion.hasPrefix("x265 "))
        #expect(encoder.libraryVersion.contains("."))
        #expect(capabilities.bitDepths.contains(8))
        #expect(capabilities.directPixelFormats.map(\.bitDepth).sorted() == capabilities.bitDepths)
        #expect(capabilities.profiles.map(\.maxBitDepth) == capabilities.bitDepths)
        #expect(capabilities.codedWidths == 18...16384 && capabilities.codedHeights == 16...16384)
        #expect(!capabilities.settings.contains(.h264EntropyMode))
    }

    @Test("every preset and tune it names is one libx265 knows")
    func names() throws {
        let library = try X265Library(bitDepth: 8)
        for preset in X264Family.presets {
            for tune in X265Library.tunes {
                #expect(throws: Never.self) {
                    _ = try X265ParameterBlock(library: library, preset: preset, tune: tune)
                }
            }
        }
    }
}

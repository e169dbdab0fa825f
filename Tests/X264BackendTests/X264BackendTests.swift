// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import TestSupport
import Testing
import X264Backend

@Suite struct X264BackendTests {
    @Test("capabilities name the library and what it takes")
    func capabilities() throws {
        let encoders = try X264Backend().listEncoders()
        let encoder = try #require(encoders.first)
        #expect(encoders.map(\.id) == ["x264.h264"] && encoder.codec == .h264 && encoder.displayName == "x264")
        let capabilities = encoder.capabilities
        #expect(encoder.libraryVersion.hasPrefix("libx264 0."))
        #expect(capabilities.presets.first == "ultrafast" && capabilities.presets.count == 10)
        #expect(capabilities.profiles.contains(.h264High10) == capabilities.bitDepths.contains(10))
        #expect(capabilities.directPixelFormats.isSuperset(of: [.i420, .nv12]))
        #expect(!encoder.isHardwareAccelerated && encoder.device == nil)
    }

    @Test("the sizes it names open and encode", arguments: [(2, 2), (2, 16384), (16384, 2), (4, 130), (18, 34)])
    func sizes(width: Int, height: Int) throws {
        let clip = TestClip.textures(width: width, height: height, count: 3)
        #expect(try clip.encode(clip.settings.with { $0.request.preset = "ultrafast" }).count == 3)
    }

    @Test("sizes beyond H.264's largest level are refused")
    func tooLarge() {
        let settings = ResolvedSettings(codec: .h264, width: 16384, height: 16384)
        let error = #expect(throws: EncoderError.self) {
            try X264Backend().openFirst(settings, logger: .silent)
        }
        #expect(error?.reason.contains("which allows 139264") == true)
    }
}

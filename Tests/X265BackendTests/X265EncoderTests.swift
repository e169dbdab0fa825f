// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import X265Backend

@Suite struct X265EncoderTests {
    static let forced: Set<Int> = [0, 37, 80, 81, 82, 119]

    @Test("forced key frames are IDR on exactly the frames asked", arguments: ["ultrafast", "medium", "slower"])
    func forcedKeyFrames(preset: String) throws {
        let clip = TestClip(width: 64, height: 64, count: 130)
        let settings = ResolvedSettings(clip) {
            $0.preset = preset
            // No other reason for a key frame.
            $0.nativeOptions = [NativeOption("scenecut", "0"), NativeOption("keyint", "-1")]
        }
        let run = try EncodeRun(clip, settings, keyFrames: Self.forced)
        #expect(Set(run.pictures.filter(\.isIDR).map(\.id)) == Self.forced)
        #expect(run.pictures.count == 130)
        #expect(Set(run.pictures.map(\.id)).count == 130)
    }
}

// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct ProfileTests {
    /// H.264 table A.2, HEVC A.3.
    @Test(
        "a profile has its name on a command line and its number in a stream",
        arguments: [
            (.h264Baseline, "h264-baseline", 66), (.h264ConstrainedBaseline, "h264-constrained-baseline", 66),
            (.h264Main, "h264-main", 77), (.h264High, "h264-high", 100),
            (.h264ConstrainedHigh, "h264-constrained-high", 100), (.h264High10, "h264-high10", 110),
            (.hevcMain, "hevc-main", 1), (.hevcMain10, "hevc-main10", 2), (.hevcMain12, "hevc-main12", 4),
        ] as [(Profile, String, Int)])
    func names(profile: Profile, name: String, indicator: Int) {
        #expect(profile.name == name && profile.indicator == indicator)
        #expect((profile.h264 == nil) == (profile.codec == .hevc))
        #expect(ProfileLevel("\(name)-auto") == ProfileLevel(profile: profile))
    }
}

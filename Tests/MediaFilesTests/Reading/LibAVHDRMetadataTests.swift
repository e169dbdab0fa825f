// SPDX-License-Identifier: MIT

import CLibAV
import EncoderAPI
import Testing

@testable import MediaFiles

@Suite struct LibAVHDRMetadataTests {
    private func info(_ display: AVMasteringDisplayMetadata?, _ light: AVContentLightMetadata?) -> VideoSourceInfo {
        var info = VideoSourceInfo(
            formatName: "x", pixelFormat: .i420, width: 64, height: 48, frameRate: 25, timescale: 25)
        info.add(display, light)
        return info
    }

    private func display(maximum: CInt = 1000) -> AVMasteringDisplayMetadata {
        let point = (AVRational(num: 1, den: 3), AVRational(num: 1, den: 3))
        var display = AVMasteringDisplayMetadata()
        display.display_primaries = (point, point, point)
        display.white_point = point
        display.max_luminance = AVRational(num: maximum, den: 1)
        display.min_luminance = AVRational(num: 1, den: 100)
        (display.has_primaries, display.has_luminance) = (1, 1)
        return display
    }

    @Test("what a stream can hold is taken, and nothing is told of it")
    func taken() {
        let info = info(display(), AVContentLightMetadata(MaxCLL: 65535, MaxFALL: 400))
        #expect(info.masteringDisplay?.maxDisplayMasteringLuminance == 10_000_000)
        #expect(info.contentLightLevel?.maxContentLightLevel == 65535 && info.omissions.isEmpty)
        #expect(self.info(nil, nil).omissions.isEmpty)
    }

    @Test("a display that lacks luminance or has too much, and a light level out of range, are told")
    func lost() {
        var dark = display()
        dark.has_luminance = 0
        let text = "is incomplete or out of range, and is not carried over"
        for display in [dark, display(maximum: 500_000)] {
            let info = info(display, nil)
            #expect(info.masteringDisplay == nil && info.omissions == ["its mastering display " + text])
        }
        let info = info(nil, AVContentLightMetadata(MaxCLL: 65536, MaxFALL: 400))
        #expect(info.contentLightLevel == nil && info.omissions == ["its content light level " + text])
    }
}

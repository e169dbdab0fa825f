// SPDX-License-Identifier: MIT

@testable import Capture
import EncoderAPI
import Testing

@Suite struct PicturePathTests {
    @Test("what sessions take is passed on, the rest is converted, and what nothing takes is refused")
    func paths() {
        #expect(PicturePath("nv12") == .taken(.nv12) && PicturePath("p010le") == .taken(.p010))
        #expect(PicturePath("bgr0") == .transferred(.bgra) && PicturePath("yuyv422") == .transferred(.yuyv))
        #expect(PicturePath("yuvj422p") == .interleaved)
        for name in ["gray", "pal8", "bayer_bggr8", "yuv411p", "vaapi", ""] { #expect(PicturePath(name) == nil) }
    }

    @Test("RGB becomes BT.709, and what is converted has limited range")
    func color() {
        let full = ColorDescription(matrix: 5, isFullRange: true)
        #expect(PicturePath.taken(.i420).color(full) == full)
        #expect(PicturePath.transferred(.bgra).color(full) == .bt709)
        #expect(PicturePath.interleaved.color(full) == ColorDescription(matrix: 5))
    }
}

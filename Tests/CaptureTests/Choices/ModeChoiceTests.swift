// SPDX-License-Identifier: MIT

@testable import Capture
import EncoderAPI
import TestSupport
import Testing

@Suite struct ModeChoiceTests {
    private static func mode(_ format: String, _ width: Int, _ height: Int, _ rate: Int?) -> CaptureMode {
        CaptureMode(
            format: format, isCompressed: format == "MJPG", width: width, height: height,
            rate: rate.map { FrameRate(numerator: $0) })
    }

    /// A usual camera of USB 2: bare pictures are slow where they are large.
    private static let camera = [
        mode("YUYV", 640, 480, 30), mode("YUYV", 640, 480, 15), mode("YUYV", 1280, 720, 10),
        mode("YUYV", 1920, 1080, 5),
        mode("MJPG", 640, 480, 30), mode("MJPG", 1280, 720, 30), mode("MJPG", 1920, 1080, 30),
    ]

    @Test("without a wish, the largest fast mode up to 1280x720 is taken, in the format with least work")
    func usual() throws {
        let choice = try ModeChoice(Self.camera, size: nil, rate: nil)
        #expect(choice.formatName == "mjpeg" && choice.width == 1280 && choice.rate == 30)
        let bare = try ModeChoice(Self.camera, size: (640, 480), rate: nil)
        #expect(bare.formatName == "yuyv422" && bare.rate == 30)
        let taken = try ModeChoice(Self.camera + [Self.mode("NV12", 1280, 720, 30)], size: nil, rate: nil)
        #expect(taken.formatName == "nv12")
    }

    @Test("a size or rate that the camera does not have is refused with those it has")
    func refused() throws {
        let size = #expect(throws: CaptureError.self) { try ModeChoice(Self.camera, size: (800, 600), rate: nil) }
        #expect(size?.reason.contains("800x600") == true && size?.reason.contains("1920x1080") == true)
        let rate = #expect(throws: CaptureError.self) { try ModeChoice(Self.camera, size: (1280, 720), rate: 25) }
        #expect(rate?.reason.contains("25 frames/s") == true)
        #expect(rate?.reason.contains("1280x720 at 10 frames/s in YUYV") == true, "\(rate?.reason ?? "")")
        let format = #expect(throws: CaptureError.self) {
            try ModeChoice([Self.mode("pBAA", 640, 480, 30)], size: nil, rate: nil)
        }
        #expect(format?.reason.contains("pBAA") == true && format?.reason.contains("YUYV") == true)
        #expect(throws: CaptureError.self) { try ModeChoice([], size: nil, rate: nil) }
    }

    @Test("ranges of sizes and rates have what lies in their steps")
    func ranges() throws {
        var mode = Self.mode("NV12", 32, 32, 60)
        (mode.largest, mode.step, mode.slowest) = ((4096, 2160), (2, 2), 1)
        let usual = try ModeChoice([mode], size: nil, rate: nil)
        #expect(usual.width == 1280 && usual.height == 720 && usual.rate == 30)
        #expect(try ModeChoice([mode], size: (642, 480), rate: 24).width == 642)
        #expect(throws: CaptureError.self) { try ModeChoice([mode], size: (641, 480), rate: nil) }
        #expect(throws: CaptureError.self) { try ModeChoice([mode], size: nil, rate: 61) }
    }

    @Test("what is chosen is a mode of the camera, for any wish that one of them fulfils")
    func random() throws {
        var random = SeededGenerator()
        for _ in 0..<500 {
            let modes = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                Self.mode(
                    ["YUYV", "MJPG", "NV12", "pBAA"].randomElement(using: &random) ?? "YUYV",
                    Int.random(in: 1...4, using: &random) * 320, Int.random(in: 1...4, using: &random) * 240,
                    [5, 10, 15, 24, 30, 60, nil].randomElement(using: &random) ?? nil)
            }
            let known = modes.filter { ModeChoice.isKnown($0.format) }
            guard let wish = known.randomElement(using: &random) else { continue }
            let size = Bool.random(using: &random) ? (wish.width, wish.height) : nil
            let rate = Bool.random(using: &random) ? wish.rate : nil
            let choice = try ModeChoice(modes, size: size, rate: rate)
            #expect(known.contains { $0.has((choice.width, choice.height)) && (choice.rate.map($0.has) ?? true) })
            if let size { #expect((choice.width, choice.height) == size) }
            if let rate { #expect(choice.rate == rate) }
        }
    }
}

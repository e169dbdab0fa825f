// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport
import Testing

@Suite struct HeldPicturesTests {
    private static let preset = held(3, 40)
    private static let nothing = held(0, 0, 1)

    private static func held(_ bPictures: Int, _ lookahead: Int, _ frameThreads: Int? = nil) -> HeldPictures {
        HeldPictures(bPictures: bPictures, lookahead: lookahead, frameThreads: frameThreads)
    }

    private func request(_ change: (inout SessionConfiguration) -> Void) -> SessionConfiguration {
        var request = SessionConfiguration(codec: .h264, width: 16, height: 16)
        change(&request)
        return request
    }

    @Test(
        "what a frame delay or real time takes from a preset that is named is listed",
        arguments: [
            (nil, true, preset, nothing, []), (nil, false, preset, nothing, []), ("slow", false, preset, preset, []),
            ("slow", false, preset, held(3, 39), [.preset]), ("slow", true, preset, nothing, [.preset]),
            // Threads that take a picture each are real time's matter.
            ("fast", true, held(0, 0), nothing, [.preset]), ("fast", false, held(0, 0), nothing, []),
            ("fast", true, held(0, 0, 1), nothing, []), ("fast", true, held(0, 0, 4), held(0, 0, 2), [.preset]),
        ] as [(String?, Bool, HeldPictures, HeldPictures, [Setting])])
    func listed(name: String?, realTime: Bool, asked: HeldPictures, held: HeldPictures, settings: [Setting]) {
        let request = request {
            $0.preset = name
            $0.realTime = realTime
        }
        #expect(held.adjustments(request, asked: asked, untuned: asked).map(\.setting) == settings)
    }

    @Test("a tune is listed where it asks for more than the preset alone", arguments: [false, true])
    func tune(realTime: Bool) {
        let request = request {
            $0.tune = "animation"
            $0.realTime = realTime
        }
        let left = Self.nothing.adjustments(request, asked: Self.held(5, 40), untuned: Self.preset)
        #expect(left.map(\.setting) == [.tune])
        #expect(Self.nothing.adjustments(request, asked: Self.preset, untuned: Self.preset) == [])
    }

    @Test("more pictures than may be held are refused with both numbers")
    func delay() throws {
        let request = request { $0.maxFrameDelayCount = 3 }
        let threads = Self.held(0, 0, 5)
        #expect(try request.checkDelay(of: 3, heldBy: threads) == [])
        #expect(try self.request { _ in }.checkDelay(of: .max, heldBy: threads) == [])
        let error = try #require(throws: EncoderError.self) { _ = try request.checkDelay(of: 4, heldBy: threads) }
        #expect(error.setting == .maxFrameDelayCount)
        #expect(
            error.reason
                == "0 pictures of lookahead, 0 B pictures and 5 frame threads hold 4 frames, expected at most 3")
    }

    @Test("whatever holds pictures in real time is listed", arguments: [0, 1, 4])
    func realTimeDelay(count: Int) throws {
        let request = request { $0.realTime = true }
        let listed = try request.checkDelay(of: count, heldBy: Self.held(0, 0, count + 1))
        #expect(listed.map(\.setting) == (count > 0 ? [.realTime] : []))
        #expect(listed.allSatisfy { $0.used == "up to \(count) frames held" })
    }

    @Test(
        "frame rates have terms of 32 bits, or are refused",
        arguments: [
            (30, 1, true), (30000, 1001, true), (Int(UInt32.max), 1, true), (Int(UInt32.max) + 1, 1, false),
            (1, Int(UInt32.max) + 1, false), (0, 1, false),
        ])
    func frameRates(numerator: Int, denominator: Int, isLegal: Bool) throws {
        let rate = FrameRate(numerator: numerator, denominator: denominator)
        let plan = EncodingPlan(frameRate: rate, timescale: 30)
        guard isLegal else {
            let error = #expect(throws: EncoderError.self) { try plan.frameRateTerms() }
            #expect(error?.setting == .expectedFrameRate)
            return
        }
        let terms = try plan.frameRateTerms()
        #expect(Int(terms.numerator) == rate.numerator && Int(terms.denominator) == rate.denominator)
    }

    @Test("a start code of three or four bytes is left out", arguments: [[0, 0, 1], [0, 0, 0, 1]] as [[UInt8]])
    func startCodes(code: [UInt8]) {
        let unit: [UInt8] = [0x65, 0x88, 0x84]
        #expect((code + unit).withUnsafeBytes { [UInt8]($0.withoutStartCode) } == unit)
    }
}

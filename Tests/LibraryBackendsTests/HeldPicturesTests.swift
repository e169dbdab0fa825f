// SPDX-License-Identifier: MIT

import EncoderAPI
import LibraryBackends
import Testing

@Suite struct HeldPicturesTests {
    private static let preset = HeldPictures(bPictures: 3, lookahead: 40)

    private func request(_ change: (inout SessionConfiguration) -> Void) -> SessionConfiguration {
        var request = SessionConfiguration(codec: .h264, width: 16, height: 16)
        change(&request)
        return request
    }

    @Test(
        "a preset that is asked for wins over real time and loses to a frame delay, and both are listed",
        arguments: [
            (nil, true, preset, []), (nil, false, HeldPictures(bPictures: 0, lookahead: 0), []),
            ("slow", false, preset, []), ("slow", true, preset, [.realTime]),
            ("slow", false, HeldPictures(bPictures: 3, lookahead: 39), [.preset]),
            ("slow", true, HeldPictures(bPictures: 2, lookahead: 40), [.realTime, .preset]),
        ] as [(String?, Bool, HeldPictures, [Setting])])
    func listed(name: String?, realTime: Bool, held: HeldPictures, settings: [Setting]) {
        let request = request {
            $0.preset = name
            $0.realTime = realTime
        }
        #expect(held.adjustments(request, preset: Self.preset).map(\.setting) == settings)
        #expect(request.isLive == (realTime && name == nil))
    }

    @Test("more pictures than may be held are refused with both numbers")
    func delay() throws {
        let request = request { $0.maxFrameDelayCount = 3 }
        try request.checkDelay(of: 3, heldBy: "threads")
        try self.request { _ in }.checkDelay(of: .max, heldBy: "threads")
        let error = try #require(throws: EncoderError.self) { try request.checkDelay(of: 4, heldBy: "threads") }
        #expect(error.setting == .maxFrameDelayCount)
        #expect(error.reason == "threads hold 4 frames, expected at most 3")
    }

    @Test("B pictures are refused only where frames must not be reordered")
    func reordering() throws {
        var plan = EncodingPlan(frameRate: 30, timescale: 30)
        try plan.check(bPictures: 3)
        plan.allowFrameReordering = false
        try plan.check(bPictures: 0)
        let error = try #require(throws: EncoderError.self) { try plan.check(bPictures: 3) }
        #expect(error.setting == .allowFrameReordering && error.reason.contains("3 B pictures"))
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

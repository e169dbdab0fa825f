// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@testable import BackendSupport

@Suite struct OptionTrialTests {
    /// A library that nobody has: "depth" is 1 to 8, "step" 4, 8 or 16, "share" 0.25 to 0.75; "wide" needs a depth of
    /// 2 or more, and no real time; "strict" a "limit"; "held" pictures are held.
    private static func open(_ settings: ResolvedSettings) throws(EncoderError) {
        var numbers: [String: Double] = ["depth": 3, "step": 8, "share": 0.5]
        for option in settings.request.nativeOptions { numbers[option.name] = Double(option.value ?? "1") ?? .nan }
        let held = Int(numbers["held"] ?? 0)
        _ = try settings.request.checkDelay(
            of: held, heldBy: HeldPictures(bPictures: held, lookahead: 0, frameThreads: 1))
        let isWide = numbers["wide"] == 1
        guard (1...8).contains(numbers["depth"] ?? 0), [4, 8, 16].contains(numbers["step"]),
            (0.25...0.75).contains(numbers["share"] ?? 0), !isWide || numbers["depth"] ?? 0 >= 2,
            !isWide || !settings.request.realTime, numbers["strict", default: 0] == 0 || numbers["limit"] != nil
        else { throw EncoderError(.backendFailure, reason: "NULL") }
    }

    private func explanation(
        _ options: [NativeOption], change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> EncoderError? {
        var settings = ResolvedSettings(codec: .h264, width: 64, height: 64)
        settings.request.nativeOptions = options
        change(&settings.request)
        do throws(EncoderError) {
            try Self.open(settings)
            return nil
        } catch {
            return OptionTrial(settings, library: "fake", open: Self.open).explanation(of: error)
        }
    }

    @Test(
        "a number out of range is refused with the range, however many options stand beside it",
        arguments: [
            (NativeOption("depth", "9"), "expected a number in 1...8"),
            (NativeOption("depth", "-7"), "expected a number in 1...8"),
            (NativeOption("step", "6"), "expected 4 or 8 or 16"),
        ])
    func range(option: NativeOption, says: String) {
        let error = explanation([NativeOption("tone", "3"), option, NativeOption("shade", "4")])
        #expect(error?.code == .invalidValue && error?.setting == .nativeOptions)
        let name = "native option \"\(option.name)\" cannot have the value \(option.quotedValue), \(says)"
        #expect(error?.reason == name)
    }

    @Test("without a number that it takes, the library's own words remain")
    func words() {
        let error = explanation([NativeOption("share", "0.8")])
        #expect(error?.reason == "native option \"share\" cannot have the value \"0.8\": NULL")
    }

    @Test("the one number that leaves an option out is no range")
    func single() {
        let error = explanation([NativeOption("strict", "1")])
        #expect(error?.reason == "native option \"strict\" cannot have the value \"1\": NULL")
    }

    @Test("an option is refused with the setting or the option that it contradicts")
    func contradictions() {
        let wide = NativeOption("wide")
        let pair = explanation([NativeOption("tone", "1"), NativeOption("depth", "1"), wide])
        #expect(pair?.code == .conflictingSettings)
        #expect(pair?.reason.contains("\"wide\" contradicts native option \"depth\" with \"1\"") == true)
        #expect(
            explanation([wide]) { $0.realTime = true }?.reason == "native option \"wide\" contradicts RealTime true")
        let held = explanation([NativeOption("tone", "1"), NativeOption("held", "4")]) { $0.maxFrameDelayCount = 3 }
        #expect(
            held?.reason.hasPrefix("native option \"held\" with \"4\" contradicts MaxFrameDelayCount 3 frames: ")
                == true)
        #expect(held?.reason.hasSuffix("hold 4 frames, expected at most 3") == true)
    }

    @Test("what is no option's fault stays as it is")
    func others() {
        let failure = EncoderError(.outOfMemory, reason: "no memory")
        var settings = ResolvedSettings(codec: .h264, width: 64, height: 64)
        settings.request.nativeOptions = [NativeOption("tone", "1")]
        let trial = OptionTrial(settings, library: "fake") { _ throws(EncoderError) in throw failure }
        #expect(trial.explanation(of: failure) == failure)
    }
}

// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport
import Testing

@Suite struct OptionRuleTests {
    /// Parameters of a library that nobody has.
    struct Parameters: Sendable {
        var least: Int32 = 0
        var most: Int32 = 51
        var reach: Int32 = 0
        var share: Int32 = 0
        var buffer: Int32 = 0
    }

    private static let groups: [ParameterGroup<Parameters>] = [
        ParameterGroup(options: [\.least, \.most, \.reach, \.share, \.buffer])
    ]

    private static let rules: [OptionRule<Parameters>] = [
        OptionRule([\.least], besides: [\.most]) { parameters, settings in
            guard parameters.least > parameters.most else { return nil }
            return OptionRule.Breach(settings.live.askedQuantizerBound, "they cross")
        },
        .need([\.reach, \.share], "a buffer") { parameters, _ in parameters.buffer > 0 },
    ]

    private static func assign(_ value: Int32, to name: String, _ parameters: inout Parameters) {
        switch name {
        case "least": parameters.least = value
        case "most": parameters.most = value
        case "reach": parameters.reach = value
        case "share": parameters.share = value
        default: parameters.buffer = value
        }
    }

    /// What is said of options, as names with numbers, on top of parameters that settings made.
    private func refusal(
        _ options: [(String, Int32)], on made: Parameters = Parameters(),
        change: (inout ResolvedSettings) -> Void = { _ in }
    ) throws -> EncoderError? {
        var settings = ResolvedSettings(codec: .h264, width: 64, height: 64)
        change(&settings)
        var (comparison, parameters) = (ParameterComparison(made, Self.groups, settings) { _ in nil }, made)
        for (name, value) in options {
            Self.assign(value, to: name, &parameters)
            try comparison.note(NativeOption(name, "\(value)"), parameters)
        }
        do throws(EncoderError) {
            try comparison.check(Self.rules)
            return nil
        } catch {
            return error
        }
    }

    @Test("an option that breaks a rule is refused with the setting, or with the other option, or with its value")
    func breaches() throws {
        var made = Parameters()
        made.most = 20
        let setting = try refusal([("least", 30)], on: made) { $0.live.asked.maxAllowedFrameQP = 20 }
        #expect(
            setting?.reason
                == "native option \"least\" with \"30\" contradicts MaxAllowedFrameQP 20 (quantizer): they cross")
        for order in [[0, 1], [1, 0]] {
            let pair = try refusal(order.map { [("least", 30), ("most", 20)][$0] })
            #expect(
                pair?.reason
                    == "native option \"least\" with \"30\" contradicts native option \"most\" with \"20\": they cross")
            #expect((pair?.code, pair?.setting) == (.conflictingSettings, .nativeOptions))
        }
        let alone = try refusal([("least", 60)])
        #expect(alone?.reason == "native option \"least\" cannot have the value \"60\": they cross")
        #expect((alone?.code, alone?.setting) == (.invalidValue, .nativeOptions))
    }

    @Test("a rule is looked at after all options, and is no option's fault where settings break it or another mends it")
    func keeping() throws {
        #expect(try refusal([("reach", 3)])?.reason.hasSuffix("value \"3\": it needs a buffer") == true)
        #expect(try refusal([("reach", 3), ("share", 4)])?.reason.hasSuffix("value \"4\": it needs a buffer") == true)
        #expect(try refusal([("reach", 3), ("buffer", 1)]) == nil)
        #expect(try refusal([("reach", 3), ("reach", 0)]) == nil)
        var made = Parameters()
        made.least = 52
        #expect(try refusal([("buffer", 1)], on: made) == nil)
    }
}

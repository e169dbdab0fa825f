// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport
import Testing

@Suite struct ParameterComparisonTests {
    /// Parameters of a library that nobody has.
    struct Parameters: Sendable {
        var bitRate: Int32 = 100
        var interval: Int32 = 250
        var startCodes: Int32 = 1
        var references: Int32 = 3
        var isLossless: Int32 = 0
    }

    private static let groups: [ParameterGroup<Parameters>] = [
        ParameterGroup(.averageBitRate, [\.bitRate]) { "\($0.bitRate) bit/s" },
        ParameterGroup(.maxKeyFrameInterval, [\.interval]) { "\($0.interval)" },
        ParameterGroup(session: [\.startCodes], "the framing is the session's"),
        ParameterGroup(options: [\.references, \.isLossless]),
    ]

    private let settings: ResolvedSettings

    init() {
        var settings = ResolvedSettings(codec: .h264, width: 64, height: 64)
        settings.live.rate = .init(.averageBitRate(100_000))
        self.settings = settings
    }

    private var comparison: ParameterComparison<Parameters> {
        ParameterComparison(Parameters(), Self.groups, settings) { $0.isLossless != 0 ? .averageBitRate : nil }
    }

    /// What a native option does to parameters, and the reason that it is refused for; nil where it is not.
    struct Row: Sendable {
        let name: String
        let reason: String?
        let change: @Sendable (inout Parameters) -> Void

        init(_ name: String, _ reason: String?, change: @escaping @Sendable (inout Parameters) -> Void) {
            (self.name, self.reason, self.change) = (name, reason, change)
        }
    }

    private static let rows = [
        Row("rate", "native option \"rate\" with \"1\" contradicts AverageBitRate 100000 bit/s") { $0.bitRate = 50 },
        Row("exact", "native option \"exact\" with \"1\" contradicts AverageBitRate 100000 bit/s") {
            $0.isLossless = 1
        },
        Row("raw", "native option \"raw\" is refused: the framing is the session's") { $0.startCodes = 0 },
        Row("ref", nil) { $0.references = 5 },
        Row("keyint", nil) { $0.interval = 9 },
        Row("same", nil) { _ in },
    ]

    @Test("a field that something else decides is refused with the option and what decides it", arguments: rows)
    func refusals(row: Row) {
        var (comparison, parameters) = (self.comparison, Parameters())
        row.change(&parameters)
        do throws(EncoderError) {
            try comparison.note(NativeOption(row.name, "1"), parameters)
            #expect(row.reason == nil)
        } catch {
            #expect(error.reason == row.reason && error.setting == .nativeOptions)
        }
    }

    @Test("what options decided, and what the library made of settings and options, is listed with the values in force")
    func adjustments() throws {
        var (comparison, parameters) = (self.comparison, Parameters())
        parameters.interval = 9
        try comparison.note(NativeOption("keyint", "9"), parameters)
        parameters.references = 99
        try comparison.note(NativeOption("ref", "99"), parameters)
        #expect(
            comparison.adjustments(inForce: parameters, of: "it").map(\.description) == [
                "MaxKeyFrameInterval: the encoder decides became 9: native option \"keyint\" decides it"
            ])
        (parameters.bitRate, parameters.references) = (80, 16)
        let listed = comparison.adjustments(inForce: parameters, of: "it")
        #expect(listed.map(\.setting) == [.averageBitRate, .maxKeyFrameInterval, .nativeOptions])
        #expect(listed.map(\.used) == ["80 bit/s", "9", "keyint=9:ref=16"])
        #expect(listed.map(\.requested) == ["100 bit/s", "the encoder decides", "keyint=9:ref=99"])
    }
}

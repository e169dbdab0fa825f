// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

/// A change that was made to settings is made to others, which changed meanwhile: what a change does after one before
/// it could not be.
@Suite struct ChangedSettingsTests {
    /// Two values of each setting; the second is nil where there is but one beside that which asks for nothing.
    private static let values: [Setting: [String?]] = [
        .averageBitRate: ["100000", "200000"], .quality: ["0.25", "0.5"], .constantRateFactor: ["20.0", "30.0"],
        .constantBitRate: ["100000", "200000"], .variableBitRate: ["100000", "200000"],
        .vbvMaxBitRate: ["300000", "400000"], .vbvBufferDuration: ["1.0", "2.0"],
        .vbvInitialDelayPercentage: ["50.0", "80.0"], .constantQuantizer: ["20", "30"],
        .dataRateLimits: ["100000/1.0", "200000/1.0"],
        .minAllowedFrameQP: ["10", "12"], .maxAllowedFrameQP: ["40", "42"], .expectedFrameRate: ["25", "30"],
        .maxKeyFrameInterval: ["50", "60"], .maxKeyFrameIntervalDuration: ["1.0", "2.0"],
        .bitRateCeiling: ["300000", "400000"], .allowFrameReordering: ["true", "false"], .allowOpenGOP: ["true", nil],
        .maxFrameDelayCount: ["0", "3"], .sourceFrameCount: ["100", "200"], .realTime: ["true", nil],
        .profileLevel: ["h264-high-auto", "h264-main-3.1"], .h264EntropyMode: ["cavlc", "cabac"],
        .color: ["1,1,1", "9,16,9"],
        .pixelAspectRatio: ["4:3", "16:11"], .preset: ["fast", "slow"], .tune: ["film", "psnr"],
        .threadCount: ["1", "2"], .nativeOptions: ["ref=2", "ref=3"], .framing: ["annexb", "avcc2"],
        .timescale: ["1000", "90000"], .pipelineCapacity: ["2", "3"],
    ]
    /// Doors to ``LiveSettings/rateControl``, of which one is open.
    private static let doors: [Setting] = [
        .averageBitRate, .constantBitRate, .variableBitRate, .quality, .constantRateFactor, .constantQuantizer,
    ]
    private static let rows = SettingRow.all.filter { $0.effect != .frame }

    private static func settings(_ values: KeyValuePairs<Setting, String?>) throws -> SessionConfiguration {
        var configuration = SessionConfiguration(codec: .h264, width: 64, height: 64)
        for (setting, text) in values {
            guard let text else { continue }
            try #require(SettingRow.named(setting.rawValue)).set(text, in: &configuration)
        }
        return configuration
    }

    @Test("each row has values here, and together the rows reach all that live settings hold")
    func complete() throws {
        #expect(Set(Self.rows.map(\.setting)) == Set(Self.values.keys))
        let plain = Mirror(reflecting: LiveSettings()).children.map { ($0.label ?? "", "\($0.value)") }
        var reached: Set<String> = []
        for (setting, texts) in Self.values {
            let changed = Mirror(reflecting: try Self.settings([setting: texts[0]]).live).children
            for (child, (label, text)) in zip(changed, plain) where "\(child.value)" != text { reached.insert(label) }
        }
        #expect(reached == Set(plain.map(\.0)))
    }

    @Test("a change of any setting is made whatever other setting is otherwise, which stays", arguments: rows.indices)
    func pairs(index: Int) throws {
        let row = Self.rows[index]
        let values = try #require(Self.values[row.setting])
        let steps: [(String?, String?)] = [(nil, values[0]), (values[0], nil), (values[0], values[1])]
        for other in Self.rows where other.setting != row.setting {
            let areDoors = Self.doors.contains(row.setting) && Self.doors.contains(other.setting)
            let otherValue = try #require(Self.values[other.setting])[0]
            for (old, new) in steps {
                let (before, after) = (try Self.settings([row.setting: old]), try Self.settings([row.setting: new]))
                let now = try Self.settings([row.setting: old, other.setting: otherValue])
                let changed = now.changed(as: before, to: after)
                #expect(row.value(in: changed) == row.value(in: after), "\(row.setting) \(other.setting)")
                let rest = areDoors ? nil : other.value(in: try Self.settings([other.setting: otherValue]))
                #expect(other.value(in: changed) == rest, "\(row.setting) \(other.setting)")
            }
        }
    }

    @Test("from one door to another the new one is open, in either order of their rows")
    func doors() throws {
        for old in Self.doors {
            for new in Self.doors {
                let before = try Self.settings([old: Self.values[old]?[0]])
                let after = try Self.settings([new: Self.values[new]?[1]])
                var now = before
                now.live.minAllowedFrameQP = 7
                var expected = after
                expected.live.minAllowedFrameQP = 7
                #expect(now.changed(as: before, to: after) == expected, "\(old) \(new)")
            }
        }
    }
}

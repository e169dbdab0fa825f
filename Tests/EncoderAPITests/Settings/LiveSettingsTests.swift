// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

/// A change that was made to settings is made to others, which changed meanwhile: what an update does after one before
/// it could not be.
@Suite struct LiveSettingsTests {
    /// Two values of each live setting.
    private static let values: [Setting: [String]] = [
        .averageBitRate: ["100000", "200000"], .quality: ["0.25", "0.5"], .constantRateFactor: ["20.0", "30.0"],
        .constantQuantizer: ["20", "30"], .dataRateLimits: ["100000/1.0", "200000/1.0"],
        .minAllowedFrameQP: ["10", "12"], .maxAllowedFrameQP: ["40", "42"], .expectedFrameRate: ["25", "30"],
        .maxKeyFrameInterval: ["50", "60"], .maxKeyFrameIntervalDuration: ["1.0", "2.0"],
    ]
    /// Doors to ``LiveSettings/rateControl``, of which one is open.
    private static let doors: [Setting] = [.averageBitRate, .quality, .constantRateFactor, .constantQuantizer]
    private static let rows = SettingRow.all.filter { $0.effect == .live }

    private static func settings(_ values: KeyValuePairs<Setting, String?>) throws -> LiveSettings {
        var configuration = SessionConfiguration(codec: .h264, width: 64, height: 64)
        for (setting, text) in values {
            guard let text else { continue }
            try #require(SettingRow.named(setting.rawValue)).set(text, in: &configuration)
        }
        return configuration.live
    }

    private static func text(_ row: SettingRow, in live: LiveSettings) -> String? {
        var configuration = SessionConfiguration(codec: .h264, width: 64, height: 64)
        configuration.live = live
        return row.value(in: configuration)
    }

    @Test("each live row has values here, and together the rows reach all that live settings hold")
    func complete() throws {
        #expect(Set(Self.rows.map(\.setting)) == Set(Self.values.keys))
        let plain = Mirror(reflecting: LiveSettings()).children.map { ($0.label ?? "", "\($0.value)") }
        var reached: Set<String> = []
        for (setting, texts) in Self.values {
            let changed = Mirror(reflecting: try Self.settings([setting: texts[0]])).children
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
                #expect(Self.text(row, in: changed) == new, "\(row.setting) \(other.setting)")
                #expect(
                    Self.text(other, in: changed) == (areDoors ? nil : otherValue), "\(row.setting) \(other.setting)")
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
                now.minAllowedFrameQP = 7
                var expected = after
                expected.minAllowedFrameQP = 7
                #expect(now.changed(as: before, to: after) == expected, "\(old) \(new)")
            }
        }
    }
}

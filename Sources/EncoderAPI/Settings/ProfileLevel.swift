// SPDX-License-Identifier: MIT

/// A profile and level, or the encoder's choice of either; kVTProfileLevel in VideoToolbox.
public struct ProfileLevel: Sendable, Hashable {
    /// The profile; nil lets the encoder choose.
    public var profile: Profile?
    /// The level in tenths, 31 for 3.1; nil lets the encoder choose.
    ///
    /// Legal: those of H.264 table A-1 except 1b, or of HEVC table A.8.
    public var level: Int?

    /// Makes a pair; legality is checked when a session is made.
    public init(profile: Profile? = nil, level: Int? = nil) {
        self.profile = profile
        self.level = level
    }

    /// The encoder chooses both.
    public static let automatic = ProfileLevel()
}

extension ProfileLevel: LosslessStringConvertible {
    /// Names as ``description`` prints them: "auto", "h264-high-auto", "h264-baseline-3.1", "3.1".
    public init?(_ description: String) {
        var (profile, level): (Profile?, Substring) = (nil, description[...])
        if let dash = description.lastIndex(of: "-") {
            profile = Profile.allCases.first { $0.name == description[..<dash] }
            guard profile != nil else { return nil }
            level = description[description.index(after: dash)...]
        }
        if level == "auto" {
            self.init(profile: profile)
            return
        }
        let parts = level.split(separator: ".", omittingEmptySubsequences: false)
        // One digit each; `Int` alone would take a sign.
        guard parts.count <= 2, parts.allSatisfy({ $0.count == 1 }), let major = Int(parts[0]), major >= 1,
            let minor = parts.count == 2 ? Int(parts[1]) : 0
        else { return nil }
        self.init(profile: profile, level: major * 10 + minor)
    }

    /// "h264-high-4.1", "hevc-main10-auto" or, where the encoder chooses both, "auto".
    public var description: String {
        let level = level.map(Self.name) ?? "auto"
        return profile.map { "\($0.name)-\(level)" } ?? level
    }

    /// A level as people write it: 31 is "3.1".
    package static func name(_ level: Int) -> String { "\(level / 10).\(level % 10)" }
}

extension ProfileLevel {
    /// Reads a kVTProfileLevel constant: "H264_High_4_1", "H264_Baseline_AutoLevel", "HEVC_Main10_AutoLevel".
    ///
    /// nil for profiles that nothing here encodes (Extended, Main 4:2:2 10, monochrome and those of other codecs), and
    /// for texts of another form.
    ///
    /// - Parameter videoToolbox: The constant's value, or its name: "kVTProfileLevel_H264_High_4_1".
    public init?(videoToolbox: String) {
        let prefix = "kVTProfileLevel_"
        let value = videoToolbox.hasPrefix(prefix) ? videoToolbox.dropFirst(prefix.count) : videoToolbox[...]
        guard let row = Self.videoToolboxProfiles.first(where: { value.hasPrefix($0.prefix + "_") }) else { return nil }
        let level = value.dropFirst(row.prefix.count + 1)
        if level == "AutoLevel" {
            self.init(profile: row.profile)
            return
        }
        // One digit each; `Int` alone would take a sign.
        let parts = level.split(separator: "_", omittingEmptySubsequences: false).map { $0.count == 1 ? Int($0) : nil }
        guard parts.count == 2, let major = parts[0], let minor = parts[1], major >= 1 else { return nil }
        self.init(profile: row.profile, level: major * 10 + minor)
    }

    private static let videoToolboxProfiles: [(prefix: String, profile: Profile)] = [
        ("H264_Baseline", .h264Baseline), ("H264_ConstrainedBaseline", .h264ConstrainedBaseline),
        ("H264_Main", .h264Main), ("H264_High", .h264High), ("H264_ConstrainedHigh", .h264ConstrainedHigh),
        ("HEVC_Main", .hevcMain), ("HEVC_Main10", .hevcMain10),
    ]
}

/// How H.264 codes its symbols; HEVC has only CABAC.
///
/// Closed: the standard has these two.
public enum H264EntropyMode: String, Sendable, Hashable, CaseIterable {
    /// Context-adaptive variable-length coding; the only mode of Baseline.
    case cavlc
    /// Context-adaptive binary arithmetic coding; Main and above.
    case cabac
}

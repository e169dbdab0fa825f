// SPDX-License-Identifier: MIT

import ParameterSets

/// Chooses levels from the tables of the standards: pure.
enum LevelPlanner {
    /// The levels a configuration may name, in tenths.
    static func legalLevels(_ codec: VideoCodec) -> [Int] {
        switch codec {
        case .h264: [10, 11, 12, 13, 20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 52, 60, 61, 62]
        case .hevc: [10, 20, 21, 30, 31, 40, 41, 50, 51, 52, 60, 61, 62]
        }
    }

    /// The level that a stream needs at the bit-rate ceiling, so that no live change moves it.
    static func pinnedLevel(
        for configuration: SessionConfiguration, settings: ResolvedSettings
    ) throws(EncoderError) -> Int? {
        settings.level
    }
}

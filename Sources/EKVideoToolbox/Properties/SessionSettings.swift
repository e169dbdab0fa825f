// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EncoderAPI
    import Foundation

    /// What the keys of a session say, as they were set last: each by itself, whatever the others are.
    struct SessionSettings {
        /// What EncoderAPI has, but for rate, quality and color.
        var configuration: SessionConfiguration
        /// What the configuration was before any key was set, and is again where a key is set to nil.
        let defaults: SessionConfiguration
        /// An average, a constant or a variable bit rate, whichever key was set last; counts over the quality.
        var bitRate: RateControl?
        var quality: Double?
        var allowsTemporalCompression = true
        /// Codes of H.273; nil where no key was set.
        var primaries: Int?
        var transfer: Int?
        var matrix: Int?
        var scalingMode = ScalingMode.trim
        /// Values of hints by their keys, and others that change nothing.
        var hints: [String: Hint] = [:]

        /// A number, boolean or text of a client's.
        struct Hint: @unchecked Sendable {
            // Unchecked: numbers do not change, and texts and dictionaries are copied.
            let value: NSObject
        }

        /// Settings of a session with no key set.
        ///
        /// - Parameters:
        ///   - codec: What is encoded to.
        ///   - width: Columns of the coded pictures.
        ///   - height: Rows, likewise.
        ///   - isLowLatency: Whether no frame waits for another, and key frames come where they are asked for alone.
        init(codec: VideoCodec, width: Int, height: Int, isLowLatency: Bool) {
            var configuration = SessionConfiguration(codec: codec, width: width, height: height)
            if isLowLatency {
                configuration.realTime = true
                configuration.maxFrameDelayCount = 0
                configuration.allowFrameReordering = false
                configuration.live.maxKeyFrameInterval = 1 << 30
            }
            (self.configuration, defaults) = (configuration, configuration)
            resetRealTime()
        }

        /// RealTime as it was before it was set: without a value where the session is not made for it.
        mutating func resetRealTime() {
            configuration.realTime = defaults.realTime
            hints["RealTime"] = defaults.realTime ? Hint(value: true as NSNumber) : nil
        }

        /// What was told of the samples: by keys, else by a frame.
        func color(told: ColorDescription?) -> ColorDescription? {
            if primaries == nil, transfer == nil, matrix == nil { return told }
            return ColorDescription(
                primaries: primaries ?? told?.primaries ?? 2, transfer: transfer ?? told?.transfer ?? 2,
                matrix: matrix ?? told?.matrix ?? 2)
        }

        /// The configuration that these settings ask for together.
        var resolved: SessionConfiguration {
            var configuration = configuration
            if let bitRate {
                configuration.live.rateControl = bitRate
            } else if let quality {
                configuration.live.rateControl = .quality(quality)
            }
            if !allowsTemporalCompression { configuration.live.maxKeyFrameInterval = 1 }
            return configuration
        }
    }
#endif

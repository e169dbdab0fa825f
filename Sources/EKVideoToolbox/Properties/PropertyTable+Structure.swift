// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EncoderAPI
    import Foundation

    extension PropertyTable {
        /// Keys that decide which frames depend on which, and how many wait for others.
        static let structure: [PropertyRow] = [
            count(
                kVTCompressionPropertyKey_MaxKeyFrameInterval, .maxKeyFrameInterval, \.live.maxKeyFrameInterval,
                none: 0),
            .number(
                kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration, .maxKeyFrameIntervalDuration,
                range: { _ in 0...86_400 },
                take: { seconds, settings in
                    guard seconds == 0 || seconds >= 0.001 else { return false }
                    settings.configuration.live.maxKeyFrameIntervalDuration = seconds == 0 ? nil : seconds
                    return true
                }, reset: { $0.configuration.live.maxKeyFrameIntervalDuration = nil },
                value: { view in
                    let live = view.configuration(inForce: .maxKeyFrameIntervalDuration).live
                    return (live.maxKeyFrameIntervalDuration ?? 0) as NSNumber
                }),
            .flag(
                kVTCompressionPropertyKey_AllowTemporalCompression, take: { $1.allowsTemporalCompression = $0 },
                reset: { $0.allowsTemporalCompression = true }, value: { $0.settings.allowsTemporalCompression }),
            // A permission, which an encoder that never reorders does not use.
            .flag(
                kVTCompressionPropertyKey_AllowFrameReordering,
                take: { $1.configuration.allowFrameReordering = $0 },
                reset: { $0.configuration.allowFrameReordering = $0.defaults.allowFrameReordering },
                value: { view in
                    view.configuration(inForce: .allowFrameReordering).allowFrameReordering ?? true
                }),
            .flag(
                kVTCompressionPropertyKey_AllowOpenGOP, take: { $1.configuration.allowOpenGOP = $0 },
                reset: { $0.configuration.allowOpenGOP = false },
                value: { $0.configuration(inForce: .allowOpenGOP).allowOpenGOP }),
            count(
                kVTCompressionPropertyKey_MaxFrameDelayCount, .maxFrameDelayCount, \.maxFrameDelayCount,
                none: kVTUnlimitedFrameDelayCount),
            count(
                kVTCompressionPropertyKey_SourceFrameCount, .sourceFrameCount, \.sourceFrameCount, none: 0,
                isHint: true),
            // Without a value until it is set, as VideoToolbox has it; set by a session of low latency.
            .flag(
                kVTCompressionPropertyKey_RealTime,
                take: {
                    $1.configuration.realTime = $0
                    $1.hints["RealTime"] = SessionSettings.Hint(value: $0 as NSNumber)
                },
                reset: { $0.resetRealTime() }, value: { ($0.settings.hints["RealTime"]?.value as? NSNumber)?.boolValue }
            ),
        ]

        /// A number of frames; `none` asks for nothing.
        private static func count(
            _ key: CFString, _ setting: Setting,
            _ path: any WritableKeyPath<SessionConfiguration, Int?> & Sendable, none: Int, isHint: Bool = false
        ) -> PropertyRow {
            .number(
                key, isHint ? nil : setting, range: { _ in Double(none)...Double(1 << 30) },
                take: { count, settings in
                    guard count == count.rounded() else { return false }
                    settings.configuration[keyPath: path] = Int(count) == none ? nil : Int(count)
                    return true
                }, reset: { $0.configuration[keyPath: path] = $0.defaults[keyPath: path] },
                value: { view in
                    let configuration = isHint ? view.settings.configuration : view.configuration(inForce: setting)
                    return (configuration[keyPath: path] ?? none) as NSNumber
                })
        }
    }
#endif

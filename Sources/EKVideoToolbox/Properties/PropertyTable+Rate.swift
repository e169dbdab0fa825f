// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EncoderAPI
    import Foundation

    extension PropertyTable {
        private static let legalBitRates = 1000.0...1_000_000_000

        /// Keys that decide how many bits frames get.
        static let rate: [PropertyRow] = [
            bitRate(
                kVTCompressionPropertyKey_AverageBitRate, .averageBitRate, RateControl.averageBitRate,
                \.live.averageBitRate),
            bitRate(
                kVTCompressionPropertyKey_ConstantBitRate, .constantBitRate, RateControl.constantBitRate,
                \.live.constantBitRate),
            bitRate(
                kVTCompressionPropertyKey_VariableBitRate, .variableBitRate, RateControl.variableBitRate,
                \.live.variableBitRate),
            .number(
                kVTCompressionPropertyKey_VBVMaxBitRate, .vbvMaxBitRate, range: { _ in legalBitRates },
                take: { rate, settings in
                    settings.configuration.live.vbvMaxBitRate = Int(rate)
                    return true
                }, reset: { $0.configuration.live.vbvMaxBitRate = nil },
                value: { view in
                    view.configuration(inForce: .vbvMaxBitRate).live.vbvMaxBitRate.map { $0 as NSNumber }
                }),
            vbv(
                kVTCompressionPropertyKey_VBVBufferDuration, .vbvBufferDuration, 0.001...3600, \.live.vbvBufferDuration
            ),
            vbv(
                kVTCompressionPropertyKey_VBVInitialDelayPercentage, .vbvInitialDelayPercentage, 0...100,
                \.live.vbvInitialDelayPercentage),
            .number(
                kVTCompressionPropertyKey_Quality, .quality, range: { _ in 0...1 },
                take: { quality, settings in
                    settings.quality = quality
                    return true
                }, reset: { $0.quality = nil }, value: { $0.settings.quality.map { $0 as NSNumber } }),
            PropertyRow(
                key: "\(kVTCompressionPropertyKey_DataRateLimits)", setting: .dataRateLimits,
                kind: .other(
                    "bytes and seconds in turn, at most two pairs, each of 0.001...3600 seconds and a rate of "
                        + "1000...1000000000 bit/s"),
                take: { object, settings, _ in
                    guard let limits = limits(object) else { return false }
                    settings.configuration.live.dataRateLimits = limits
                    return true
                }, reset: { $0.configuration.live.dataRateLimits = [] },
                value: { view in
                    // Limits that gave way are not in force.
                    let isKept = view.session.map { $0.value(of: .dataRateLimits) != nil } ?? true
                    let limits = isKept ? view.configuration(inForce: .dataRateLimits).live.dataRateLimits : []
                    return NSArray(array: limits.flatMap { [$0.bytes as NSNumber, $0.seconds as NSNumber] })
                }),
            quantizer(kVTCompressionPropertyKey_MinAllowedFrameQP, .minAllowedFrameQP, \.live.minAllowedFrameQP),
            quantizer(kVTCompressionPropertyKey_MaxAllowedFrameQP, .maxAllowedFrameQP, \.live.maxAllowedFrameQP),
            .number(
                kVTCompressionPropertyKey_ExpectedFrameRate, .expectedFrameRate, range: { _ in 0...1000 },
                take: { rate, settings in
                    let hint = rate == 0 ? nil : FrameRate(rate)
                    guard hint?.isLegal ?? true else { return false }
                    settings.configuration.live.expectedFrameRate = hint
                    return true
                }, reset: { $0.configuration.live.expectedFrameRate = nil },
                value: { ($0.settings.configuration.live.expectedFrameRate?.framesPerSecond ?? 0) as NSNumber }),
            .readOnly(
                kVTCompressionPropertyKey_EstimatedAverageBytesPerFrame, .number { _ in nil },
                value: { view in
                    let mode = view.settings.bitRate?.setting ?? .averageBitRate
                    let live = view.configuration(inForce: mode).live
                    guard let rate = live.expectedFrameRate?.framesPerSecond,
                        let average = live.rateControl.bitsPerSecond
                    else {
                        return 0 as NSNumber
                    }
                    return Int(Double(average) / 8 / rate) as NSNumber
                }),
        ]

        /// One of the bit rates, of which the one that was set last counts; 0 for none.
        private static func bitRate(
            _ key: CFString, _ setting: Setting, _ control: @escaping @Sendable (Int) -> RateControl,
            _ path: any KeyPath<SessionConfiguration, Int?> & Sendable
        ) -> PropertyRow {
            @Sendable func clear(_ settings: inout SessionSettings) {
                if settings.bitRate?.setting == setting { settings.bitRate = nil }
            }
            return .number(
                key, setting, range: { _ in legalBitRates }, none: 0,
                take: { rate, settings in
                    if rate == 0 { clear(&settings) } else { settings.bitRate = control(Int(rate)) }
                    return true
                }, reset: clear, value: { ($0.configuration(inForce: setting)[keyPath: path] ?? 0) as NSNumber })
        }

        /// A part of the decoder's buffer.
        private static func vbv(
            _ key: CFString, _ setting: Setting, _ range: ClosedRange<Double>,
            _ path: any WritableKeyPath<SessionConfiguration, Double?> & Sendable
        ) -> PropertyRow {
            .number(
                key, setting, range: { _ in range },
                take: { value, settings in
                    settings.configuration[keyPath: path] = value
                    return true
                }, reset: { $0.configuration[keyPath: path] = nil },
                value: { view in view.configuration(inForce: setting)[keyPath: path].map { $0 as NSNumber } })
        }

        private static func quantizer(
            _ key: CFString, _ setting: Setting,
            _ path: any WritableKeyPath<SessionConfiguration, Int?> & Sendable
        ) -> PropertyRow {
            .number(
                key, setting,
                range: { Double($0.quantizers.lowerBound)...Double($0.quantizers.upperBound) },
                take: { value, settings in
                    settings.configuration[keyPath: path] = Int(value)
                    return true
                }, reset: { $0.configuration[keyPath: path] = nil },
                value: { view in view.configuration(inForce: setting)[keyPath: path].map { $0 as NSNumber } })
        }

        /// Pairs of bytes and seconds: none, one or two.
        private static func limits(_ object: AnyObject) -> [DataRateLimit]? {
            guard let list = object as? NSArray, list.count <= 4, list.count % 2 == 0 else { return nil }
            let numbers = (0..<list.count).compactMap { index in
                CFArrayGetValueAtIndex(list, index).flatMap {
                    PropertyValue.number(Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue())
                }
            }
            guard numbers.count == list.count else { return nil }
            var limits: [DataRateLimit] = []
            for index in stride(from: 0, to: numbers.count, by: 2) {
                let (bytes, seconds) = (numbers[index], numbers[index + 1])
                guard 1...1e15 ~= bytes, 0.001...3600 ~= seconds, legalBitRates.contains(bytes * 8 / seconds) else {
                    return nil
                }
                limits.append(DataRateLimit(bytes: Int(bytes), seconds: seconds))
            }
            return limits
        }
    }
#endif

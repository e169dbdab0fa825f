// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EncoderAPI
    import Foundation

    extension PropertyTable {
        private static let legalBitRates = 1000.0...1_000_000_000

        /// Keys that decide how many bits frames get.
        static let rate: [PropertyRow] = [
            .number(
                kVTCompressionPropertyKey_AverageBitRate, .averageBitRate, range: { _ in 0...1_000_000_000 },
                take: { rate, settings in
                    guard rate == 0 || legalBitRates.contains(rate) else { return false }
                    settings.average = rate == 0 ? nil : Int(rate)
                    return true
                }, reset: { $0.average = nil },
                value: { view in
                    (view.configuration(inForce: .averageBitRate).live.averageBitRate ?? 0) as NSNumber
                }),
            .number(
                kVTCompressionPropertyKey_Quality, .quality, range: { _ in 0...1 },
                take: { quality, settings in
                    settings.quality = quality
                    return true
                }, reset: { $0.quality = nil }, value: { $0.settings.quality.map { $0 as NSNumber } }),
            PropertyRow(
                key: "\(kVTCompressionPropertyKey_DataRateLimits)", setting: .dataRateLimits, kind: .other,
                take: { object, settings, _ in
                    guard let limits = limits(object) else { return false }
                    settings.configuration.live.dataRateLimits = limits
                    return true
                }, reset: { $0.configuration.live.dataRateLimits = [] },
                value: { view in
                    let limits = view.configuration(inForce: .dataRateLimits).live.dataRateLimits
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
                    let live = view.configuration(inForce: .averageBitRate).live
                    guard let rate = live.expectedFrameRate?.framesPerSecond, let average = live.averageBitRate else {
                        return 0 as NSNumber
                    }
                    return Int(Double(average) / 8 / rate) as NSNumber
                }),
        ]

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

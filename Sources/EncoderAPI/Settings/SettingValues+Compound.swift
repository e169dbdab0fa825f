// SPDX-License-Identifier: MIT

// Values of more than one part, as a command line writes them.

extension SettingValues where Value == DataRateLimit {
    /// `750000/1.0`: bytes, seconds.
    static let limits = SettingValues(
        form: "BYTES/SECONDS",
        legal: { _ in
            let rates = RateControl.legalBitRates
            return "0.001...3600 seconds and a rate of \(rates.lowerBound)...\(rates.upperBound) bit/s"
        },
        isLegal: { limit, _ in
            let rates = RateControl.legalBitRates
            return limit.bytes > 0 && (0.001...3600).contains(limit.seconds)
                && (Double(rates.lowerBound)...Double(rates.upperBound)).contains(
                    Double(limit.bytes) * 8 / limit.seconds)
        },
        text: { "\($0.bytes)/\($0.seconds)" },
        value: { text in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let bytes = Int(parts[0]), let seconds = Double(parts[1]) else { return nil }
            return DataRateLimit(bytes: bytes, seconds: seconds)
        })
}

extension SettingValues where Value == FrameRate {
    /// `30`, `29.97` or `30000/1001`.
    static let frameRates = SettingValues(
        form: "a number, or one over another",
        legal: { _ in "0.01...1000" },
        isLegal: { rate, _ in
            rate.isLegal && rate.numerator <= Int32.max && rate.denominator <= Int32.max
        },
        text: { $0.denominator == 1 ? "\($0.numerator)" : "\($0.numerator)/\($0.denominator)" },
        value: { text in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2 else { return Double(text).map { FrameRate($0) } }
            guard let numerator = Int(parts[0]), let denominator = Int(parts[1]) else { return nil }
            return FrameRate(numerator: numerator, denominator: denominator)
        })
}

extension SettingValues where Value == ProfileLevel {
    /// `h264-high-4.1`, `hevc-main10-auto` or `4.1`; which level goes with what is checked with the picture.
    static let profileLevels = SettingValues(
        form: "a profile and 'auto' or a level, such as h264-high-auto",
        legal: { capabilities in
            let profiles = capabilities.profiles.map(\.name).joined(separator: ", ")
            return "auto or a level, or one of \(profiles) with -auto or a level"
        },
        isLegal: { _, _ in true }, text: { $0.description }, value: { ProfileLevel($0) })
}

extension SettingValues where Value == ColorDescription {
    /// `9,16,9` or `1,1,1,full`: primaries, transfer, matrix.
    static let codePoints = SettingValues(
        form: "PRIMARIES,TRANSFER,MATRIX as numbers of H.273, with ,full for full range",
        legal: { ColorDescription.legalCodes(with: $0) },
        isLegal: { $0 == $0.legal(with: $1) },
        text: { $0.codePoints },
        value: { text in
            var parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let isFullRange = parts.count == 4 && parts.removeLast() == "full"
            let codes = parts.compactMap { Int($0) }
            guard parts.count == 3, codes.count == 3 else { return nil }
            return ColorDescription(primaries: codes[0], transfer: codes[1], matrix: codes[2], isFullRange: isFullRange)
        })
}

extension SettingValues where Value == PixelAspectRatio {
    /// `4:3`.
    static let ratios = SettingValues(
        form: "WIDTH:HEIGHT", legal: { _ in "1...65535 to 1...65535" },
        isLegal: { ratio, _ in
            (1...65535).contains(ratio.horizontalSpacing) && (1...65535).contains(ratio.verticalSpacing)
        },
        text: { $0.description },
        value: { text in
            let sides = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
            return PixelAspectRatio(horizontalSpacing: width, verticalSpacing: height)
        })
}

extension SettingValues where Value == NativeOption {
    /// `aq-mode=2` or `no-scenecut`.
    static let options = SettingValues(
        form: "NAME=VALUE or NAME", legal: { _ in "options of the library by its own names" },
        isLegal: { _, _ in true }, text: { option in option.value.map { "\(option.name)=\($0)" } ?? option.name },
        value: { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let name = parts.first, !name.isEmpty else { return nil }
            return NativeOption(name, parts.count == 2 ? parts[1] : nil)
        })
}

extension SettingValues where Value == StreamFraming {
    /// `annexb`, or `avcc` with the bytes of a length.
    static let framings = SettingValues(
        form: "annexb, avcc1, avcc2 or avcc4", legal: { _ in "annexb, or lengths of 1, 2 or 4 bytes" },
        isLegal: { framing, _ in framing == .annexB || [1, 2, 4].contains(framing.prefixLength) },
        text: { framing in
            switch framing {
            case .annexB: "annexb"
            case .lengthPrefixed(let bytes): "avcc\(bytes)"
            }
        },
        value: { text in
            if text == "annexb" { return .annexB }
            return text.hasPrefix("avcc") ? Int(text.dropFirst(4)).map { .lengthPrefixed(bytes: $0) } : nil
        })
}

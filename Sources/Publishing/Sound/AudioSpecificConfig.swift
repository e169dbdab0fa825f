// SPDX-License-Identifier: MIT

public import BitSyntax

/// What a decoder of MPEG-4 sound must know before the first packet (ISO/IEC 14496-3, 1.6.2.1).
///
/// MP4, Matroska and FLV store it beside the packets. Whatever is read is written as the same bits.
public struct AudioSpecificConfig: SyntaxStructure {
    /// What the object types 5 (SBR) and 29 (PS) say before the type that they extend.
    public struct Extension: SyntaxStructure {
        /// `extensionSamplingFrequencyIndex`, and `extensionSamplingFrequency`, of what comes out.
        public var sampling = AudioSampling()
        /// `audioObjectType` of what is extended.
        public var objectType = AudioObjectType(2)

        /// AAC-LC at 48 kHz.
        public init() {}

        /// Codes the fields.
        public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(SyntaxError) {
            try sampling.code(with: &coder, in: "extensionSamplingFrequency")
            try objectType.code(with: &coder, in: ())
        }
    }

    /// `audioObjectType`: 2 for AAC-LC.
    public var objectType = AudioObjectType(2)
    /// `samplingFrequencyIndex`, and `samplingFrequency` where no index has it.
    public var sampling = AudioSampling()
    /// `channelConfiguration`, 0...15: the number of channels up to 6, 7 for 8, 0 for what ``program`` says.
    public var channelConfiguration = 2
    /// What object types 5 and 29 extend; nil for any other.
    public var `extension`: Extension?
    /// `frameLengthFlag`: 960 sample frames in a packet, otherwise 1024.
    public var isShortFrame = false
    /// `coreCoderDelay`, 0...16,383; nil where no core coder is depended on.
    public var coreCoderDelay: Int?
    /// `extensionFlag`.
    public var extensionFlag = false
    /// `program_config_element()`, where `channelConfiguration` is 0.
    public var program: AudioProgramConfig?
    /// What follows: of AAC-LC, where there is anything, that SBR is not or is used; of object types that are not of
    /// the AAC family all.
    public var rest = OpaqueBits()

    /// AAC-LC at 48 kHz with two channels.
    public init() {}

    /// Codes all fields, up to the end of the data.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(SyntaxError) {
        try objectType.code(with: &coder, in: ())
        try sampling.code(with: &coder, in: "samplingFrequency")
        try coder.u("channelConfiguration", &channelConfiguration, 4)
        try coder.part(
            "extensionSamplingFrequencyIndex", &self.extension, when: [5, 29].contains(objectType.number))
        let coded = self.extension?.objectType ?? objectType
        let isGeneral = [1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23].contains(coded.number)
        try coder.flag("frameLengthFlag", &isShortFrame, when: isGeneral, else: false)
        if isGeneral {
            try coder.u(flag: "dependsOnCoreCoder", "coreCoderDelay", &coreCoderDelay, 14)
        } else {
            try coder.infer("coreCoderDelay", &coreCoderDelay, nil)
        }
        try coder.flag("extensionFlag", &extensionFlag, when: isGeneral, else: false)
        try coder.part("element_instance_tag", &program, when: isGeneral && channelConfiguration == 0)
        try coder.opaque("rest", &rest, count: coder.remainingBits)
    }
}

// MARK: - Making and reading

extension AudioSpecificConfig {
    /// Makes the configuration of AAC-LC.
    ///
    /// - Parameters:
    ///   - sampleRate: Sample frames in a second, 1 to 16,777,215; rates without an index of their own are written out.
    ///   - channelCount: 1 to 6, or 8.
    /// - Throws: ``PublishingError`` with `.invalidValue` for a number out of its range.
    public init(sampleRate: Int, channelCount: Int) throws(PublishingError) {
        sampling = try AudioSampling(rate: sampleRate)
        guard let configuration = Self.channelCounts.firstIndex(of: channelCount), configuration > 0 else {
            throw PublishingError(.invalidValue, reason: "\(channelCount) channels, expected 1...6 or 8")
        }
        channelConfiguration = configuration
    }

    /// Reads a configuration.
    ///
    /// - Parameter bytes: All of its bytes.
    /// - Throws: `SyntaxError` that names the field, for data that ends too early.
    public init(_ bytes: [UInt8]) throws(SyntaxError) {
        var reader = SyntaxReader(bytes)
        try code(with: &reader, in: ())
    }

    /// The configuration's bytes; zero bits fill the last one.
    ///
    /// - Throws: `SyntaxError` that names the field, for a value that has no place.
    public func bytes() throws(SyntaxError) -> [UInt8] {
        var copy = self
        var writer = SyntaxWriter()
        try copy.code(with: &writer, in: ())
        return writer.finish()
    }

    /// Sample frames in a second that a decoder gives; nil for an index that the standard reserves.
    public var sampleRate: Int? { (self.extension?.sampling ?? sampling).rate }

    /// Channels that a decoder gives; nil for a configuration that the standard reserves.
    public var channelCount: Int? {
        if channelConfiguration == 0 { return program?.channelCount }
        return channelConfiguration < Self.channelCounts.count ? Self.channelCounts[channelConfiguration] : nil
    }

    /// Channels of each configuration (table 1.19).
    private static let channelCounts = [0, 1, 2, 3, 4, 5, 6, 8]
}

/// `GetAudioObjectType()`: five bits, or eleven for those from 32 on.
public struct AudioObjectType: SyntaxStructure {
    /// 0...30, or 32...95; 2 is AAC-LC, 5 SBR.
    public var number = 2

    /// AAC-LC.
    public init() {}

    /// A type by its number.
    public init(_ number: Int) { self.number = number }

    /// Codes the type.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(SyntaxError) {
        var (short, long) = (number < 31 ? number : 31, number - 32)
        try coder.u("audioObjectType", &short, 5)
        if short == 31 {
            try coder.u("audioObjectTypeExt", &long, 6)
            number = long + 32
        } else {
            number = short
        }
    }
}

/// A sampling frequency: by its index, or written out behind index 15.
public struct AudioSampling: SyntaxStructure {
    /// `samplingFrequencyIndex`, 0...15.
    public var index = 3
    /// `samplingFrequency` in Hz, 0 to 16,777,215; nil unless the index is 15.
    public var writtenRate: Int?

    /// 48 kHz.
    public init() {}

    /// Makes a frequency, with the index that has it.
    ///
    /// - Parameter rate: In Hz, 1 to 16,777,215.
    /// - Throws: ``PublishingError`` with `.invalidValue` for any other.
    public init(rate: Int) throws(PublishingError) {
        guard (1..<1 << 24).contains(rate) else {
            throw PublishingError(.invalidValue, reason: "sample rate \(rate) Hz, expected 1...16777215")
        }
        index = Self.rates.firstIndex(of: rate) ?? 15
        writtenRate = index == 15 ? rate : nil
    }

    /// The frequency in Hz; nil for an index that the standard reserves.
    public var rate: Int? { index == 15 ? writtenRate : index < Self.rates.count ? Self.rates[index] : nil }

    /// Codes index and frequency under the names that begin with the context.
    public mutating func code(with coder: inout some SyntaxCoder, in name: StaticString) throws(SyntaxError) {
        try coder.u("\(name)Index", &index, 4)
        try coder.u("\(name)", &writtenRate, 24, when: index == 15)
    }

    /// Those that have an index (table 1.18), in Hz.
    public static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]
}

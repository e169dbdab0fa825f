// SPDX-License-Identifier: MIT

/// How sound that is not coded lies in a file.
public struct PCMFormat: Sendable, Hashable {
    /// How one sample is stored, little endian.
    public enum Sample: String, Sendable, Hashable, CaseIterable {
        /// Eight bits, 128 for silence.
        case unsigned8
        /// 16 bits, two's complement.
        case signed16
        /// 24 bits, two's complement.
        case signed24
        /// 32 bits, two's complement.
        case signed32
        /// 32 bits, floating point, full scale from -1 to 1.
        case float32
        /// 64 bits, floating point, full scale from -1 to 1.
        case float64

        /// Bytes of a sample.
        public var byteCount: Int {
            switch self {
            case .unsigned8: 1
            case .signed16: 2
            case .signed24: 3
            case .signed32, .float32: 4
            case .float64: 8
            }
        }

        /// The sample that starts at a place; there are enough bytes.
        func value(_ bytes: [UInt8], at offset: Int) -> Float {
            func bits(_ count: Int) -> UInt64 {
                (0..<count).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
            }
            return switch self {
            case .unsigned8: (Float(bytes[offset]) - 128) / 128
            case .signed16: Float(Int16(truncatingIfNeeded: bits(2))) / 32_768
            case .signed24: Float(Int32(truncatingIfNeeded: bits(3) << 8)) / 2_147_483_648
            case .signed32: Float(Int32(truncatingIfNeeded: bits(4))) / 2_147_483_648
            case .float32: Float(bitPattern: UInt32(truncatingIfNeeded: bits(4)))
            case .float64: Float(Double(bitPattern: bits(8)))
            }
        }
    }

    /// How one sample is stored.
    public var sample: Sample
    /// Sample frames in a second, one of ``sampleRates``.
    public var sampleRate: Int
    /// Samples in a sample frame, 1 to 255.
    public var channelCount: Int

    /// Sample frames in a second that sound which is not coded may have: at fewer, a packet of coded sound would wait
    /// for seconds or minutes.
    public static let sampleRates = 1000...768_000

    /// Describes sound that is not coded; the ranges are checked when a file is opened.
    public init(sample: Sample = .signed16, sampleRate: Int, channelCount: Int) {
        self.sample = sample
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Bytes of a sample frame.
    var frameByteCount: Int { sample.byteCount * channelCount }

    /// - Throws: ``PublishingError`` with `.invalidValue` for a rate that is none of ``sampleRates``.
    static func check(sampleRate: Int) throws(PublishingError) {
        guard !sampleRates.contains(sampleRate) else { return }
        throw PublishingError(
            .invalidValue,
            reason: "sample rate \(sampleRate), expected \(sampleRates.lowerBound)...\(sampleRates.upperBound)")
    }

    func check(path: String? = nil) throws(PublishingError) {
        do throws(PublishingError) {
            _ = try SoundBlock(samples: [Float](), channelCount: channelCount, sampleRate: sampleRate)
        } catch {
            throw path.map { error.naming($0) } ?? error
        }
    }
}

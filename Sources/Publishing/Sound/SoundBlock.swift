// SPDX-License-Identifier: MIT

public import EncoderAPI

/// A piece of sound that is not coded.
public struct SoundBlock: Sendable {
    /// Interleaved samples, full scale from -1 to 1: what lies beyond is clipped when it is encoded.
    public let samples: [Float]
    /// Samples in a sample frame, 1 or more.
    public let channelCount: Int
    /// Sample frames in a second, one of ``PCMFormat/sampleRates``.
    public let sampleRate: Int
    /// When its first sample frame was recorded; nil for a block that follows the one before without a gap.
    public let time: MediaTime?

    /// Puts a block together.
    ///
    /// - Parameters:
    ///   - samples: Interleaved samples, whole sample frames.
    ///   - channelCount: Samples in a sample frame, 1 to 255.
    ///   - sampleRate: Sample frames in a second, one of ``PCMFormat/sampleRates``.
    ///   - time: When the first one was recorded; nil for a block that follows the one before.
    /// - Throws: ``PublishingError`` with `.invalidValue` for a number out of its range, and for a sample that is no
    ///   number or infinite, which would silence an encoder for good.
    public init(
        samples: [Float], channelCount: Int, sampleRate: Int, time: MediaTime? = nil
    ) throws(PublishingError) {
        guard (1...255).contains(channelCount) else {
            throw PublishingError(.invalidValue, reason: "\(channelCount) channels, expected 1...255")
        }
        try PCMFormat.check(sampleRate: sampleRate)
        guard samples.count.isMultiple(of: channelCount) else {
            throw PublishingError(
                .invalidValue, reason: "\(samples.count) samples, expected a multiple of \(channelCount) channels")
        }
        if let index = samples.firstIndex(where: { !$0.isFinite }) {
            throw PublishingError(
                .invalidValue,
                reason: "sample \(samples[index]) in sample frame \(index / channelCount), channel "
                    + "\(index % channelCount), expected a finite number")
        }
        self.samples = samples
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        self.time = time
    }

    /// Puts a block of 16-bit samples together.
    ///
    /// - Parameters:
    ///   - samples: Interleaved samples, whole sample frames; -32,768 is full scale.
    ///   - channelCount: Samples in a sample frame, 1 to 255.
    ///   - sampleRate: Sample frames in a second, one of ``PCMFormat/sampleRates``.
    ///   - time: When the first one was recorded; nil for a block that follows the one before.
    /// - Throws: ``PublishingError`` with `.invalidValue` for a number out of its range.
    public init(
        samples: [Int16], channelCount: Int, sampleRate: Int, time: MediaTime? = nil
    ) throws(PublishingError) {
        try self.init(
            samples: samples.map { Float($0) / 32_768 }, channelCount: channelCount, sampleRate: sampleRate, time: time)
    }

    /// Sample frames in the block.
    public var frameCount: Int { samples.count / channelCount }

    /// The samples with another number of channels: one is copied to both, both make their mean.
    ///
    /// - Throws: ``PublishingError`` with `.unsupported` for any other change.
    func samples(channelCount wanted: Int) throws(PublishingError) -> [Float] {
        switch (channelCount, wanted) {
        case (wanted, _): return samples
        case (1, 2): return samples.flatMap { [$0, $0] }
        case (2, 1):
            return stride(from: 0, to: samples.count, by: 2).map { (samples[$0] + samples[$0 + 1]) / 2 }
        default:
            throw PublishingError(
                .unsupported, reason: "sound of \(channelCount) channels for \(wanted), expected 1 or 2 channels")
        }
    }
}

/// Where sound comes from that is not coded: a file, a test signal, or what an application makes of its own.
public protocol SoundSource {
    /// Gives the next block, of any length.
    ///
    /// - Returns: Nil at the end.
    /// - Throws: ``PublishingError`` for what cannot be read.
    mutating func next() throws(PublishingError) -> SoundBlock?
}

/// Sound that a function gives block by block.
public struct SoundCallback: SoundSource {
    private let body: () throws(PublishingError) -> SoundBlock?

    /// Makes a source of a function.
    ///
    /// - Parameter body: Gives the next block, nil at the end; called on the thread that asks for it.
    public init(_ body: @escaping () throws(PublishingError) -> SoundBlock?) { self.body = body }

    /// Asks the function.
    public mutating func next() throws(PublishingError) -> SoundBlock? { try body() }
}

// SPDX-License-Identifier: MIT

import EncoderAPI
import LibAV

/// Makes one unbroken row of sample frames of blocks: does to the samples what an ``AudioAligner`` says.
///
/// Used on one thread at a time.
final class AlignedSound {
    /// Takes interleaved samples that come out, at the rate of what goes out.
    typealias Receiver = (ArraySlice<Float>) throws(PublishingError) -> Void

    /// Sample frames in a second of the blocks.
    let sampleRate: Int
    /// What was done so far.
    private(set) var aligner: AudioAligner
    private let channelCount: Int
    /// Nil where the blocks' rate is that of what goes out, and they are not stretched.
    private let resampler: LibAVResampler?
    /// Interleaved samples that are too few to be stretched yet.
    private var gathered: ArraySlice<Float> = []
    /// How many sample frames stretching is to add to ``gathered``.
    private var added = 0
    /// Sample frames that are stretched together at least: one more or fewer is a small part of them.
    private static let leastStretched = 256
    /// Sample frames of silence that are put in at once.
    private static let silenceLength = 4096

    /// Makes a row without sample frames.
    ///
    /// - Parameters:
    ///   - sampleRate: Sample frames in a second of the blocks.
    ///   - outputRate: That of what comes out; another one needs libswresample.
    ///   - channelCount: Samples in a sample frame.
    ///   - base: When the first sample frame that comes out is heard.
    ///   - isStretched: Whether blocks have times, beside which stretching keeps the sound where libswresample is
    ///     there; without it, gaps and surpluses are all that can be evened out.
    /// - Throws: ``PublishingError`` with `.libraryMissing` or `.libraryFailure`.
    init(
        sampleRate: Int, outputRate: Int, channelCount: Int, base: MediaTime, isStretched: Bool
    ) throws(PublishingError) {
        var limits = AudioAligner.Limits()
        if sampleRate != outputRate || isStretched && LibAVResampler.isAvailable {
            do throws(LibAVError) {
                resampler = try LibAVResampler(from: sampleRate, to: outputRate, channels: channelCount)
            } catch {
                throw PublishingError(error)
            }
        } else {
            resampler = nil
            limits.largestStretch = 0
        }
        aligner = try AudioAligner(sampleRate: sampleRate, base: base, limits: limits)
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Adds a block.
    ///
    /// - Parameters:
    ///   - samples: Interleaved, whole sample frames within full scale.
    ///   - time: When the first one was recorded; nil for a block that follows the one before.
    ///   - receive: Is given what comes out, piece by piece, so that a long gap is never in memory as a whole.
    /// - Throws: ``PublishingError`` as ``AudioAligner/align(frameCount:at:)`` does, after which nothing has changed;
    ///   `.libraryFailure`, or what `receive` throws.
    func add(_ samples: ArraySlice<Float>, at time: MediaTime?, _ receive: Receiver) throws(PublishingError) {
        let frameCount = samples.count / channelCount
        let actions =
            if let time { try aligner.align(frameCount: frameCount, at: time) } else {
                aligner.append(frameCount: frameCount)
            }
        var rest = samples
        for action in actions {
            switch action {
            case .silence(let count):
                try addSilence(count, receive)
            case .drop(let count):
                rest = rest.dropFirst(count * channelCount)
            case .take(let count, let outputCount):
                try gather(rest.prefix(count * channelCount), adding: outputCount - count, receive)
                rest = rest.dropFirst(count * channelCount)
            }
        }
    }

    /// Gives what is left; call once, when no block follows.
    func finish(_ receive: Receiver) throws(PublishingError) {
        try stretchGathered(receive)
        guard let resampler else { return }
        try receive(try Self.calling { () throws(LibAVError) in try resampler.finish()[...] })
    }

    private func addSilence(_ frameCount: Int, _ receive: Receiver) throws(PublishingError) {
        try stretchGathered(receive)
        let piece = [Float](repeating: 0, count: min(frameCount, Self.silenceLength) * channelCount)
        var rest = frameCount * channelCount
        while rest > 0 {
            try convert(piece.prefix(rest), receive)
            rest -= min(rest, piece.count)
        }
    }

    private func gather(_ samples: ArraySlice<Float>, adding added: Int, _ receive: Receiver) throws(PublishingError) {
        if gathered.isEmpty { gathered = samples } else { gathered += samples }
        self.added += added
        guard resampler == nil || gathered.count >= Self.leastStretched * channelCount else { return }
        try stretchGathered(receive)
    }

    private func stretchGathered(_ receive: Receiver) throws(PublishingError) {
        try convert(exchange(&gathered, with: []), adding: exchange(&added, with: 0), receive)
    }

    private func convert(
        _ samples: ArraySlice<Float>, adding added: Int = 0, _ receive: Receiver
    ) throws(PublishingError) {
        guard let resampler else { return try receive(samples) }
        try receive(try Self.calling { () throws(LibAVError) in try resampler.convert(samples, adding: added)[...] })
    }

    private static func calling<Value>(_ body: () throws(LibAVError) -> Value) throws(PublishingError) -> Value {
        do throws(LibAVError) {
            return try body()
        } catch {
            throw PublishingError(error)
        }
    }
}

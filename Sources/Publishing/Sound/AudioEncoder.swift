// SPDX-License-Identifier: MIT

public import EncoderAPI
import LibAV

/// Encodes sound, and keeps it beside the clock that its blocks' times are of.
///
/// What comes out is one unbroken row of sample frames: gaps become silence, a surplus is left out, and a sound card
/// that is a little fast or slow is followed by stretching. Used on one thread at a time.
public final class AudioEncoder {
    /// What an encoder did to keep sound beside its clock, in sample frames of the sound that came in.
    public struct Corrections: Sendable, Hashable {
        /// Silence that was put into gaps.
        public var silentFrames: Int64 = 0
        /// Left out because more came than time had passed.
        public var surplusFrames: Int64 = 0
        /// Left out because they lie before the start.
        public var earlyFrames: Int64 = 0
        /// Added by stretching; with a minus taken away.
        public var stretchedFrames: Int64 = 0

        /// Nothing was done.
        public init() {}
    }

    /// What the encoder was made with.
    public let settings: AudioSettings
    /// What a container must know: header, priming and sample frames of a packet among it.
    public let format: AudioFormat
    private let encoder: LibAVSoundEncoder
    private var startTime: MediaTime?
    private var aligner: AudioAligner?
    private var resampler: LibAVResampler?
    /// Sample frames in a second of the blocks.
    private var inputRate: Int?
    /// Interleaved samples that do not fill a packet yet.
    private var pending: [Float] = []
    private var isFinished = false

    /// Opens an encoder.
    ///
    /// - Parameters:
    ///   - settings: What the sound is to be coded to.
    ///   - startTime: When the first picture is shown, in the clock of the blocks' times: sound before it is cut off,
    ///     to the sample. Nil to begin with the first block.
    /// - Throws: ``PublishingError`` as ``AudioSettings/check()`` does; `.libraryMissing`, naming the Debian package;
    ///   `.unsupported` where the library has no encoder of the codec.
    public init(_ settings: AudioSettings = AudioSettings(), startTime: MediaTime? = nil) throws(PublishingError) {
        try settings.check()
        let codec: LibAVTrack.SoundCodec = settings.codec == .aac ? .aac : .opus
        do throws(LibAVError) {
            encoder = try LibAVSoundEncoder(
                codec, rate: settings.sampleRate, channels: settings.channelCount,
                bitsPerSecond: settings.bitsPerSecond)
        } catch {
            throw PublishingError(error)
        }
        format = try AudioFormat(
            codec: settings.codec, sampleRate: settings.sampleRate, channelCount: settings.channelCount,
            priming: encoder.priming, framesPerPacket: encoder.frameSize, configuration: encoder.header,
            bitsPerSecond: settings.bitsPerSecond)
        self.settings = settings
        self.startTime = startTime
    }

    /// What was done so far to keep the sound beside its clock.
    public var corrections: Corrections {
        var corrections = Corrections()
        guard let aligner else { return corrections }
        corrections.silentFrames = aligner.silentFrames
        corrections.surplusFrames = aligner.surplusFrames
        corrections.earlyFrames = aligner.earlyFrames
        corrections.stretchedFrames = aligner.stretchedFrames
        return corrections
    }
}

// MARK: - Encoding

extension AudioEncoder {
    /// Encodes a block.
    ///
    /// - Parameter block: The next block: 1 or 2 channels, the rate of the first block. Another rate than that of
    ///   ``settings`` needs libswresample.
    /// - Returns: The packets that are ready, in the clock of the blocks' times.
    /// - Throws: ``PublishingError``: `.unsupported` for other channels, `.invalidValue` for another rate than the
    ///   first block's, `.backwardsTime` for a time that is not later than that of the block before: the block is not
    ///   taken, the encoder goes on. `.libraryMissing` or `.libraryFailure` where a library refuses; `.invalidState`
    ///   after ``finish()``.
    public func encode(_ block: SoundBlock) throws(PublishingError) -> [MediaPacket] {
        guard !isFinished else {
            throw PublishingError(.invalidState, reason: "a block of sound after the encoder was finished")
        }
        let samples = try block.samples(channelCount: settings.channelCount)
        try prepare(block)
        guard var aligner else { return [] }
        let actions = try aligner.actions(for: block)
        self.aligner = aligner
        var rest = samples[...]
        for action in actions {
            switch action {
            case .silence(let count):
                try add(silence: count)
            case .drop(let count):
                rest = rest.dropFirst(count * settings.channelCount)
            case .take(let count, let outputCount):
                try add(rest.prefix(count * settings.channelCount), stretchedBy: outputCount - count)
                rest = rest.dropFirst(count * settings.channelCount)
            }
        }
        return try packets(isEnd: false)
    }

    /// Gives what the encoder holds; call once, when no block follows.
    ///
    /// - Returns: The last packets; the last one may hold fewer sample frames.
    /// - Throws: ``PublishingError`` with `.libraryFailure`; `.invalidState` when called again.
    public func finish() throws(PublishingError) -> [MediaPacket] {
        guard !isFinished else { throw PublishingError(.invalidState, reason: "the encoder was finished already") }
        isFinished = true
        do throws(LibAVError) {
            if let resampler { pending += try resampler.finish() }
        } catch {
            throw PublishingError(error)
        }
        return try packets(isEnd: true)
    }

    /// Makes what depends on the first block.
    private func prepare(_ block: SoundBlock) throws(PublishingError) {
        if let inputRate {
            guard block.sampleRate == inputRate else {
                throw PublishingError(
                    .invalidValue, reason: "sound of \(block.sampleRate) Hz, expected \(inputRate) Hz as before")
            }
            return
        }
        var limits = AudioAligner.Limits()
        let mustConvert = block.sampleRate != settings.sampleRate
        if mustConvert || block.time != nil && LibAVResampler.isAvailable {
            do throws(LibAVError) {
                resampler = try LibAVResampler(
                    from: block.sampleRate, to: settings.sampleRate, channels: settings.channelCount)
            } catch {
                throw PublishingError(error)
            }
        }
        // Without libswresample, gaps and surpluses are all that can be evened out.
        if resampler == nil { limits.largestStretch = 0 }
        let start = startTime ?? block.time ?? .zero
        aligner = try AudioAligner(sampleRate: block.sampleRate, base: start, limits: limits)
        (startTime, inputRate) = (start, block.sampleRate)
    }

    private func add(silence frameCount: Int) throws(PublishingError) {
        var rest = frameCount
        let piece = [Float](repeating: 0, count: 4096 * settings.channelCount)
        while rest > 0 {
            let count = min(rest, 4096)
            try add(piece.prefix(count * settings.channelCount), stretchedBy: 0)
            rest -= count
        }
    }

    private func add(_ samples: ArraySlice<Float>, stretchedBy added: Int) throws(PublishingError) {
        guard let resampler else {
            pending += samples
            return
        }
        do throws(LibAVError) {
            pending += try resampler.convert(samples, adding: added)
        } catch {
            throw PublishingError(error)
        }
    }

    /// Encodes what fills a packet; at the end, the rest too.
    private func packets(isEnd: Bool) throws(PublishingError) -> [MediaPacket] {
        var made: [LibAVSoundEncoder.Packet] = []
        let size = encoder.frameSize * settings.channelCount
        var start = 0
        do throws(LibAVError) {
            while pending.count - start >= size || isEnd && start < pending.count {
                let end = min(start + size, pending.count)
                made += try encoder.encode(pending[start..<end].clipped)
                start = end
            }
            if isEnd { made += try encoder.finish() }
        } catch {
            throw PublishingError(error)
        }
        pending.removeFirst(start)
        return made.map { packet in
            MediaPacket(
                format: format, time: (startTime ?? .zero) + duration(packet.position),
                duration: packet.frameCount > 0 ? duration(packet.frameCount) : nil, data: packet.data)
        }
    }

    private func duration(_ frameCount: Int64) -> MediaTime { format.duration(ofFrames: frameCount) }
}

extension ArraySlice<Float> {
    /// The samples within full scale.
    fileprivate var clipped: ArraySlice<Float> {
        contains { abs($0) > 1 } ? ArraySlice(map { Swift.min(Swift.max($0, -1), 1) }) : self
    }
}

extension AudioAligner {
    /// What to do with a block; one without a time follows what is there.
    fileprivate mutating func actions(for block: SoundBlock) throws(PublishingError) -> [Action] {
        if let time = block.time { return try align(frameCount: block.frameCount, at: time) }
        return append(frameCount: block.frameCount)
    }
}

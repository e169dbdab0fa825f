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
    /// Made with the first block, whose rate it has.
    private var sound: AlignedSound?
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
        guard let aligner = sound?.aligner else { return corrections }
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
    ///   first block's, or a time more than an hour behind the end of the sound before it, `.backwardsTime` for one
    ///   that is not later than that of the block before: the block is not taken, the encoder goes on.
    ///   `.libraryMissing` or `.libraryFailure` where a library refuses; `.invalidState` after ``finish()``.
    public func encode(_ block: SoundBlock) throws(PublishingError) -> [MediaPacket] {
        guard !isFinished else {
            throw PublishingError(.invalidState, reason: "a block of sound after the encoder was finished")
        }
        // Samples far beyond full scale would become what is no number where they are converted.
        let samples = try block.samples(channelCount: settings.channelCount)[...].clipped
        var made: [MediaPacket] = []
        try sound(for: block).add(samples, at: block.time) { (samples) throws(PublishingError) in
            pending += samples
            made += try packets(isEnd: false)
        }
        return made
    }

    /// Gives what the encoder holds; call once, when no block follows.
    ///
    /// - Returns: The last packets; the last one may hold fewer sample frames.
    /// - Throws: ``PublishingError`` with `.libraryFailure`; `.invalidState` when called again.
    public func finish() throws(PublishingError) -> [MediaPacket] {
        guard !isFinished else { throw PublishingError(.invalidState, reason: "the encoder was finished already") }
        isFinished = true
        try sound?.finish { pending += $0 }
        return try packets(isEnd: true)
    }

    /// What the block is added to.
    private func sound(for block: SoundBlock) throws(PublishingError) -> AlignedSound {
        if let sound {
            guard block.sampleRate == sound.sampleRate else {
                throw PublishingError(
                    .invalidValue, reason: "sound of \(block.sampleRate) Hz, expected \(sound.sampleRate) Hz as before")
            }
            return sound
        }
        let start = startTime ?? block.time ?? .zero
        let sound = try AlignedSound(
            sampleRate: block.sampleRate, outputRate: settings.sampleRate, channelCount: settings.channelCount,
            base: start, isStretched: block.time != nil)
        (self.sound, startTime) = (sound, start)
        return sound
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

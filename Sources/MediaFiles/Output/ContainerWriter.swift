// SPDX-License-Identifier: MIT

package import EncoderAPI
import LibAV

/// Writes frames into MP4, Matroska, FLV or an MPEG-2 transport stream through libavformat.
///
/// Presentation times are written as given: exact in MP4, to the container's tick in Matroska (1 ms) and transport
/// streams (1/90000 s). Decode times of streams with reordered pictures begin below zero. MP4 keeps them, with an edit
/// list at the start of the presentation. A transport stream cannot hold negative times: there, the frames that should
/// be decoded before zero are decoded at equal distances up to the first decode time after zero. FLV (1 ms), whose
/// players go by its decode times, moves all times up by as much as the first decode time lies below zero.
package final class ContainerWriter: EncodedFrameWriter {
    private let file: OutputFile
    private let sink: LibAVFileSink
    private let format: OutputFormat
    private let container: LibAVContainer
    private let frameRate: FrameRate?
    private var muxer: LibAVMuxer?
    private var writtenFormat: FormatDescription?
    /// The first frames of a transport stream.
    private var early = EarlyFrames()
    /// What FLV adds to all times.
    private var shift: MediaTime?
    /// Thrown for all frames after one that the container cannot hold: without it they cannot be decoded.
    private var failure: MediaFileError?
    private var isFinished = false

    /// Creates the file; its header is written with the first frame, whose format it describes.
    ///
    /// - Parameters:
    ///   - path: The file; MP4 needs one on disk.
    ///   - format: Any but an elementary stream.
    ///   - codec: What the frames are coded to, so that a container that cannot hold it is refused here.
    ///   - frameRate: Frames per second where they are constant; gives frames without a duration theirs.
    /// - Throws: ``MediaFileError`` with `.cannotOpen`, `.libraryMissing`, `.unsupported` for HEVC in FLV.
    package init(
        path: String, format: OutputFormat, codec: VideoCodec, frameRate: FrameRate? = nil
    ) throws(MediaFileError) {
        guard let container = format.container else {
            throw MediaFileError(.invalidValue, reason: "an elementary stream is no container", path: path)
        }
        if format == .flv, codec == .hevc {
            throw MediaFileError(
                .unsupported, reason: "FLV holds no HEVC, expected H.264 or one of .mp4, .mkv and .ts", path: path)
        }
        _ = try MediaFileError.wrapping(LibAV.load)
        // The library has its own buffer.
        file = try OutputFile(path: path, bufferSize: 1)
        guard format != .mp4 || file.isRegular else {
            throw MediaFileError(
                .unsupported,
                reason: "MP4 is completed at its start when it ends, which needs a file on disk; expected "
                    + "one, or .mkv, .flv or .ts", path: path)
        }
        sink = LibAVFileSink(file)
        self.format = format
        self.container = container
        self.frameRate = frameRate
    }

    /// Writes one frame.
    ///
    /// After an update that may change the format (`UpdateOutcome.restarted(formatMayChange: true)`), the next key
    /// frame shows whether it did. Where the container cannot hold the new format, nothing of the frame is written:
    /// finish this file, which has all frames before, and give the frame to a writer of another.
    ///
    /// - Throws: ``MediaFileError``: `.unsupported` when the format changes and the container holds only one (all but
    ///   transport streams, whose codec must stay), then again for each later frame; `.invalidValue` for a time the
    ///   container cannot hold.
    package func write(_ frame: EncodedFrame) throws(MediaFileError) {
        guard let unit = frame.accessUnit else { return }
        guard !isFinished else { throw MediaFileError(.invalidState, reason: "the file was finished", path: file.path) }
        if let failure { throw failure }
        let change = writtenFormat.flatMap { unit.format.difference(from: $0) }
        if let change, format != .transportStream || unit.format.codec != writtenFormat?.codec {
            let error = MediaFileError(
                .unsupported,
                reason: "\(change) with the frame shown at \(frame.presentationTime), which \(format.name) cannot "
                    + "hold; the file has all frames before; expected another file from this frame on, .ts or an "
                    + "elementary stream", path: file.path)
            failure = error
            throw error
        }
        let muxer = if let muxer { muxer } else { try open(unit.format, first: frame) }
        writtenFormat = unit.format
        let timing = LibAVMuxer.Timing(
            presentation: frame.presentationTime, decode: frame.decodeTime, duration: frame.duration,
            isKey: unit.isSync || unit.isPartialSync, isDisposable: !unit.isDependedOnByOthers)
        let framing = AccessUnitFraming(unit.format, data: PacketBytes(unit.data), nalUnits: unit.nalUnits)
        try library { () throws(LibAVError) in
            // Parameter sets stand in a transport stream where decoding can start or the format is new.
            let data =
                format == .transportStream
                ? framing.annexB(carryingSets: timing.isKey || change != nil) : try framing.lengthPrefixed().array()
            try muxer.checkPresentation(timing)
            switch format {
            case .transportStream:
                for frame in early.add(data, timing, tick: { muxer.ticks($0) }) { try muxer.write(frame) }
            case .flv:
                let shift = shift ?? max(.zero - timing.decode, .zero)
                self.shift = shift
                try muxer.write(data, timing.moved(by: shift))
            default: try muxer.write(data, timing)
            }
        }
    }

    package func finish() throws(MediaFileError) {
        guard !isFinished else { return }
        isFinished = true
        if let muxer {
            try library { () throws(LibAVError) in
                for frame in early.end(tick: { muxer.ticks($0) }) { try muxer.write(frame) }
                try muxer.finish()
            }
        }
        try file.closeOrDiscard()
    }

    private func open(_ description: FormatDescription, first: EncodedFrame) throws(MediaFileError) -> LibAVMuxer {
        let timescales = [first.presentationTime, first.decodeTime, first.duration].compactMap { $0?.timescale }
        let track = LibAVTrack(
            // Decoders show the coded size less an even crop.
            .video(
                description.codec, width: description.width + description.width % 2,
                height: description.height + description.height % 2,
                nominalDuration: frameRate.flatMap { FrameClock($0)?.duration }),
            header: format == .transportStream ? description.annexB : description.configurationRecord,
            timescale: timescales.reduce(1, MediaTime.commonTimescale))
        let muxer = try library { () throws(LibAVError) in
            try LibAVMuxer(sink, container: container, tracks: [track])
        }
        self.muxer = muxer
        return muxer
    }

    /// Calls the library, which only knows as a number why the file cannot be written.
    private func library<Value>(_ body: () throws(LibAVError) -> Value) throws(MediaFileError) -> Value {
        let result = Result { () throws(LibAVError) in try body() }
        if let failure = sink.failure { throw failure }
        do throws(LibAVError) {
            return try result.get()
        } catch {
            let offset = error.code == .failure ? file.byteCount : nil
            throw MediaFileError(error, path: file.path, byteOffset: offset)
        }
    }
}

extension FormatDescription {
    /// What differs between the formats of two frames, as a sentence; nil where nothing does.
    fileprivate func difference(from other: FormatDescription) -> String? {
        guard self != other else { return nil }
        let (size, otherSize) = ("\(width)x\(height)", "\(other.width)x\(other.height)")
        let (length, otherLength) = (nalUnitLengthSize, other.nalUnitLengthSize)
        return if codec != other.codec {
            "the codec changes from \(other.codec) to \(codec)"
        } else if size != otherSize {
            "the size changes from \(otherSize) to \(size)"
        } else if length != otherLength {
            "the length fields change from \(otherLength) to \(length) bytes"
        } else if codecString != other.codecString {
            "profile or level change from \(other.codecString) to \(codecString)"
        } else {
            "the parameter sets change"
        }
    }
}

// SPDX-License-Identifier: MIT

import CLibAV
import EncoderAPI

/// Sole owner of one container being written with one video track.
final class LibAVMuxer {
    /// What the container must know before the first packet.
    struct Track {
        var codec: VideoCodec
        /// Luma samples in a row and luma rows that decoders show.
        var width: Int
        var height: Int
        /// avcC or hvcC; parameter sets in Annex B for a transport stream.
        var header: [UInt8]
        /// Ticks per second in which all times are whole numbers, where the container can choose.
        var timescale: Int32
        var frameRate: FrameRate?
    }

    /// One access unit's place in time.
    struct Timing {
        var presentation: MediaTime
        var decode: MediaTime
        var duration: MediaTime?
        var isKey: Bool
        var isDisposable: Bool
    }

    private let av: CLibAV
    private let output: LibAVOutput
    private let format: OutputFormat
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let stream: UnsafeMutablePointer<AVStream>
    private let packet: LibAVPacket
    private let nominalDuration: MediaTime?
    /// The first frames, where their decode times are before zero and have to be moved.
    private var held: [(data: [UInt8], timing: Timing)] = []
    private var lastDecodeTicks: Int64?
    private var lastDuration: Int64 = 0

    /// Writes the container's header.
    ///
    /// - Throws: ``MediaFileError`` with `.unsupported` where the container cannot hold the codec, or needs a file on
    ///   disk; what writing threw.
    init(_ file: OutputFile, format: OutputFormat, track: Track) throws(MediaFileError) {
        let av = try LibAV.load()
        self.av = av
        self.format = format
        nominalDuration = track.frameRate.flatMap { FrameClock($0)?.duration }
        output = try LibAVOutput(av, file: file)
        packet = try LibAVPacket(av)
        var made: UnsafeMutablePointer<AVFormatContext>?
        _ = av.avformat_alloc_output_context2(&made, nil, format.libAVName, nil)
        guard let context = made, let stream = av.avformat_new_stream(context, nil) else {
            av.avformat_free_context(made)
            throw MediaFileError(.libraryFailure, reason: "libavformat cannot write \(format.name)", path: file.path)
        }
        self.context = context
        self.stream = stream
        context.pointee.pb = output.context
        // No library versions and random identifiers: equal frames make equal files.
        context.pointee.flags |= AVFMT_FLAG_BITEXACT
        // Times are written as given, or refused below.
        context.pointee.avoid_negative_ts = 0
        if !file.isRegular { context.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS }
        try writeHeader(track)
    }

    deinit { av.avformat_free_context(context) }

    private func writeHeader(_ track: Track) throws(MediaFileError) {
        let codec = track.codec.libAVCodec
        // 0 is a refusal; negative, as of transport streams, that the library does not know before it tries.
        guard av.avformat_query_codec(context.pointee.oformat, codec, FF_COMPLIANCE_NORMAL) != 0 else {
            throw MediaFileError(
                .unsupported, reason: "libavformat cannot write \(track.codec) into \(format.name)",
                path: output.file.path)
        }
        configure(&stream.pointee.codecpar.pointee, track: track, codec: codec)
        try setHeader(track.header)
        stream.pointee.time_base = AVRational(num: 1, den: track.timescale)
        if let rate = nominalDuration, let ticks = CInt(exactly: rate.value) {
            stream.pointee.avg_frame_rate = AVRational(num: rate.timescale, den: ticks)
        }
        var options: OpaquePointer?
        for (name, value) in format.libAVOptions(timescale: track.timescale) {
            _ = av.av_dict_set(&options, name, value, 0)
        }
        let status = av.avformat_write_header(context, &options)
        av.av_dict_free(&options)
        guard status >= 0 else { throw failed("cannot write the header", status) }
    }

    private func configure(_ parameters: inout AVCodecParameters, track: Track, codec: AVCodecID) {
        parameters.codec_type = AVMEDIA_TYPE_VIDEO
        parameters.codec_id = codec
        // hvc1: parameter sets only in the sample description, which players of Apple's insist on.
        if format == .mp4, track.codec == .hevc { parameters.codec_tag = clibav_tag(0x68, 0x76, 0x63, 0x31) }
        parameters.width = CInt(clamping: track.width)
        parameters.height = CInt(clamping: track.height)
        parameters.field_order = AV_FIELD_PROGRESSIVE
    }

    private func setHeader(_ header: [UInt8]) throws(MediaFileError) {
        guard let copy = av.av_mallocz(header.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            throw MediaFileError(.outOfMemory, reason: "no memory for the codec's header")
        }
        copy.copyMemory(from: header, byteCount: header.count)
        // The context owns and frees it.
        stream.pointee.codecpar.pointee.extradata = copy.assumingMemoryBound(to: UInt8.self)
        stream.pointee.codecpar.pointee.extradata_size = CInt(header.count)
    }

    private func failed(_ what: String, _ status: CInt) -> MediaFileError {
        output.failure
            ?? MediaFileError(
                .libraryFailure, reason: "\(what): \(av.message(status))", path: output.file.path,
                byteOffset: output.file.byteCount, status: Int(status))
    }
}

// MARK: - Writing

extension LibAVMuxer {
    /// Writes one access unit, in the framing of the container.
    ///
    /// FLV and transport streams count from zero, but reordering starts the decode clock early. Presentation times are
    /// kept by decoding the first frames closer together: they are held until a decode time after zero is known.
    func write(_ data: [UInt8], _ timing: Timing) throws(MediaFileError) {
        try checkPresentation(timing)
        guard lastDecodeTicks == nil, !format.hasNegativeDecodeTimes else {
            return try put(data, timing, decode: ticks(timing.decode))
        }
        let decode = ticks(timing.decode)
        if decode < 0 || !held.isEmpty && decode == 0 { return held.append((data, timing)) }
        try releaseHeld(before: decode)
        try put(data, timing, decode: decode)
    }

    /// Writes what comes at the end; call once.
    func finish() throws(MediaFileError) {
        // No decode time after zero is known: all are decoded before the second picture is shown.
        try releaseHeld(before: held.map { ticks($0.timing.presentation) }.filter { $0 > 0 }.min() ?? 0)
        let status = av.av_write_trailer(context)
        if let failure = output.failure { throw failure }
        guard status >= 0 else { throw failed("cannot complete the file", status) }
    }

    /// Writes the frames held, decoded at equal distances from zero on.
    private func releaseHeld(before end: Int64) throws(MediaFileError) {
        let frames = held
        held = []
        for (index, frame) in frames.enumerated() {
            try put(frame.data, frame.timing, decode: Int64(index) * end / Int64(frames.count))
        }
    }

    private func put(_ data: [UInt8], _ timing: Timing, decode: Int64) throws(MediaFileError) {
        let times = try packetTimes(timing, decode: decode)
        try packet.fill(count: data.count) { $0.copyBytes(from: data) }
        packet.pointer.pointee.stream_index = stream.pointee.index
        packet.pointer.pointee.pts = times.presentation
        packet.pointer.pointee.dts = times.decode
        packet.pointer.pointee.duration = times.duration
        packet.pointer.pointee.flags |= timing.isKey ? AV_PKT_FLAG_KEY : 0
        packet.pointer.pointee.flags |= timing.isDisposable ? AV_PKT_FLAG_DISPOSABLE : 0
        let status = av.av_interleaved_write_frame(context, packet.pointer)
        packet.clear()
        if let failure = output.failure { throw failure }
        guard status >= 0 else { throw failed("cannot write the frame shown at \(timing.presentation)", status) }
    }
}

// MARK: - Times

extension LibAVMuxer {
    private func ticks(_ time: MediaTime) -> Int64 {
        time.nearestTicks(num: stream.pointee.time_base.num, den: stream.pointee.time_base.den)
    }

    private func checkPresentation(_ timing: Timing) throws(MediaFileError) {
        guard format != .mp4, ticks(timing.presentation) < 0 else { return }
        throw MediaFileError(
            .invalidValue,
            reason: "presentation time \(timing.presentation), expected 0 or later in \(format.name)",
            path: output.file.path)
    }

    private func packetTimes(
        _ timing: Timing, decode: Int64
    ) throws(MediaFileError) -> (presentation: Int64, decode: Int64, duration: Int64) {
        let presentation = ticks(timing.presentation)
        var decode = decode
        let distance: Int64 = format.hasEqualDecodeTimes ? 0 : 1
        // Where the container's ticks are too long for the distances.
        if !format.hasNegativeDecodeTimes {
            decode = min(max(decode, (lastDecodeTicks ?? -distance) + distance), presentation)
        }
        if let last = lastDecodeTicks, decode < last + distance {
            throw MediaFileError(
                .invalidValue,
                reason: "decode time \(timing.decode) falls on the tick of the frame before: \(format.name) "
                    + "counts \(stream.pointee.time_base.den) ticks in a second", path: output.file.path)
        }
        let duration =
            (timing.duration ?? nominalDuration).map(ticks) ?? lastDecodeTicks.map { decode - $0 } ?? lastDuration
        (lastDecodeTicks, lastDuration) = (decode, duration)
        return (presentation, decode, max(duration, 0))
    }
}

extension MediaTime {
    /// The nearest multiple of `num / den` seconds, clamped to 62 bits so that sums fit; both are positive.
    fileprivate func nearestTicks(num: CInt, den: CInt) -> Int64 {
        let dividend = Int128(value) * Int128(den) * 2
        let divisor = Int128(timescale) * Int128(num) * 2
        let rounded = dividend + divisor / 2
        let floor = rounded >= 0 ? rounded / divisor : -((-rounded + divisor - 1) / divisor)
        return Int64(clamping: min(max(floor, -(1 << 62)), 1 << 62))
    }
}

extension OutputFormat {
    /// libavformat's name; an elementary stream needs no library.
    fileprivate var libAVName: String {
        switch self {
        case .elementaryStream: "data"
        case .mp4: "mp4"
        case .matroska: "matroska"
        case .flv: "flv"
        case .transportStream: "mpegts"
        }
    }

    /// FLV and transport streams count from zero; Matroska stores no decode times.
    fileprivate var hasNegativeDecodeTimes: Bool { self == .mp4 || self == .matroska }

    /// FLV and Matroska count milliseconds, and take several frames in one.
    fileprivate var hasEqualDecodeTimes: Bool { self == .flv || self == .matroska }

    fileprivate func libAVOptions(timescale: Int32) -> [(String, String)] {
        switch self {
        // The movie's own clock holds the start of the presentation; its default of 1000 would round it.
        case .mp4: [("movie_timescale", "\(timescale)")]
        // Else the library shifts all times.
        case .transportStream: [("mpegts_copyts", "1")]
        case .elementaryStream, .matroska, .flv: []
        }
    }
}

// SPDX-License-Identifier: MIT

import CLibAV
package import EncoderAPI
import ParameterSets

/// Sole owner of one container being written, of one or more tracks; used by one thread at a time.
///
/// Packets are written in the order they are given: whoever gives those of several tracks brings them into order first.
package final class LibAVMuxer {
    /// One packet's place in time.
    package struct Timing: Sendable {
        package var presentation: MediaTime
        package var decode: MediaTime
        package var duration: MediaTime?
        package var isKey: Bool
        package var isDisposable: Bool

        /// Names the times.
        package init(
            presentation: MediaTime, decode: MediaTime, duration: MediaTime? = nil, isKey: Bool,
            isDisposable: Bool = false
        ) {
            self.presentation = presentation
            self.decode = decode
            self.duration = duration
            self.isKey = isKey
            self.isDisposable = isDisposable
        }
    }

    /// One packet's place in time, in ticks of its track.
    package struct Ticks: Sendable {
        package var presentation: Int64
        package var decode: Int64
        package var duration: Int64

        /// Names the times.
        package init(presentation: Int64, decode: Int64, duration: Int64) {
            self.presentation = presentation
            self.decode = decode
            self.duration = duration
        }
    }

    private struct Stream {
        let pointer: UnsafeMutablePointer<AVStream>
        let isVideo: Bool
        let nominalDuration: MediaTime?
        var lastDecodeTicks: Int64?
        var lastDuration: Int64 = 0
        /// When the packet that was written last ends, in ticks of decoding; nil where that is not known.
        var end: Int64?
    }

    private let av: CLibAV
    private let output: LibAVOutput
    private let container: LibAVContainer
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let packet: LibAVPacket
    private let isFragmented: Bool
    private var streams: [Stream] = []

    /// Writes the container's header, or as much of it as is known before the first packet.
    ///
    /// - Parameters:
    ///   - sink: Takes the bytes.
    ///   - container: The format.
    ///   - tracks: One or more, numbered from 0 on.
    ///   - layout: How the file is laid out.
    /// - Throws: ``LibAVError`` with `.libraryMissing`, `.unsupported` where the container cannot hold a codec,
    ///   `.failure` also where the sink failed, which then knows more.
    package init(
        _ sink: any LibAVSink, container: LibAVContainer, tracks: [LibAVTrack], layout: LibAVLayout = LibAVLayout()
    ) throws(LibAVError) {
        let av = try LibAV.load()
        self.av = av
        self.container = container
        isFragmented = container.isISO && layout.isFragmented
        output = try LibAVOutput(
            av, sink: sink,
            bufferSize: layout.isBuffered ? LibAVIOContext.largeBufferSize : LibAVIOContext.bufferSize)
        packet = try LibAVPacket(av)
        var made: UnsafeMutablePointer<AVFormatContext>?
        _ = av.avformat_alloc_output_context2(&made, nil, container.libAVName, nil)
        guard let context = made else {
            throw LibAVError(.failure, reason: "libavformat cannot write \(container.name)")
        }
        self.context = context
        context.pointee.pb = output.context
        clibav_forbid_opening(context)
        // No library versions and random identifiers: equal frames make equal files.
        context.pointee.flags |= AVFMT_FLAG_BITEXACT
        // Times are written as given, or refused below.
        context.pointee.avoid_negative_ts = 0
        if layout.isBuffered {
            // The context states no smallest piece; the sink would get each packet, fragment or cluster by itself.
            output.context?.pointee.min_packet_size = CInt(LibAVIOContext.largeBufferSize)
        } else if !sink.canSeek || layout.isFlushed {
            context.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS
        }
        for track in tracks { try add(track) }
        try writeHeader(layout, timescale: tracks.map(\.timescale).reduce(1, MediaTime.commonTimescale))
    }

    deinit { av.avformat_free_context(context) }

    private func add(_ track: LibAVTrack) throws(LibAVError) {
        let codec = track.codec
        // 0 is a refusal; negative, as of transport streams, that the library does not know before it tries.
        guard av.avformat_query_codec(context.pointee.oformat, codec.id, FF_COMPLIANCE_NORMAL) != 0 else {
            throw LibAVError(.unsupported, reason: "libavformat cannot write \(codec.name) into \(container.name)")
        }
        guard let stream = av.avformat_new_stream(context, nil) else {
            throw LibAVError(.outOfMemory, reason: "no memory for a track")
        }
        try track.configure(stream, in: container, av)
        streams.append(Stream(pointer: stream, isVideo: track.isVideo, nominalDuration: track.nominalDuration))
    }

    private func writeHeader(_ layout: LibAVLayout, timescale: Int32) throws(LibAVError) {
        var options: OpaquePointer?
        for (name, value) in layout.options(
            container, timescale: timescale, hasVideo: streams.contains(where: \.isVideo))
        {
            _ = av.av_dict_set(&options, name, value, 0)
        }
        let status = av.avformat_write_header(context, &options)
        av.av_dict_free(&options)
        guard status >= 0 else { throw failed("cannot write the header", status) }
    }

    private func failed(_ what: String, _ status: CInt) -> LibAVError {
        LibAVError(.failure, reason: "\(what): \(av.message(status))", status: Int(status))
    }
}

// MARK: - Writing

extension LibAVMuxer {
    /// Writes one packet, in the framing of the container.
    ///
    /// - Parameters:
    ///   - data: An access unit, or one packet of sound.
    ///   - timing: When it is decoded and shown.
    ///   - track: The number of its track.
    ///   - decode: The tick of the track at which it is decoded, where that is not the decode time of `timing`.
    /// - Throws: ``LibAVError`` with `.invalidValue` for a time that the container cannot hold, `.failure`.
    package func write(
        _ data: some ByteView, _ timing: Timing, track: Int = 0, decode: Int64? = nil
    ) throws(LibAVError) {
        try checkPresentation(timing, track: track)
        let ticks = try packetTimes(timing, track, decode: decode ?? ticks(timing.decode, track: track))
        try write(data, ticks, isKey: timing.isKey, isDisposable: timing.isDisposable, track: track)
    }

    /// Writes one packet whose times are known in ticks of its track.
    ///
    /// - Parameters:
    ///   - data: An access unit, or one packet of sound.
    ///   - ticks: When it is decoded and shown: decoded later than the packet of its track before.
    ///   - isKey: Whether decoding can start there.
    ///   - isDisposable: Whether no other picture is predicted from it.
    ///   - track: The number of its track.
    ///   - newHeader: The codec's header from here on, where FLV writes another one.
    /// - Throws: ``LibAVError`` with `.failure`.
    package func write(
        _ data: some ByteView, _ ticks: Ticks, isKey: Bool, isDisposable: Bool = false, track: Int = 0,
        newHeader: [UInt8]? = nil
    ) throws(LibAVError) {
        let raw = packet.pointer
        defer { packet.clear() }
        if let newHeader {
            guard let place = av.av_packet_new_side_data(raw, AV_PKT_DATA_NEW_EXTRADATA, newHeader.count) else {
                throw LibAVError(.outOfMemory, reason: "no memory for the codec's header")
            }
            UnsafeMutableRawPointer(place).copyMemory(from: newHeader, byteCount: newHeader.count)
        }
        noteGap(before: ticks, track: track)
        raw.pointee.stream_index = streams[track].pointer.pointee.index
        raw.pointee.pts = ticks.presentation
        raw.pointee.dts = ticks.decode
        raw.pointee.duration = ticks.duration
        raw.pointee.flags = (isKey ? AV_PKT_FLAG_KEY : 0) | (isDisposable ? AV_PKT_FLAG_DISPOSABLE : 0)
        let status = data.withSpan { bytes in
            bytes.withUnsafeBufferPointer { bytes in
                // The library only reads the bytes, and keeps none of them: without a buffer that it could hold, it
                // copies.
                raw.pointee.data = UnsafeMutablePointer(mutating: bytes.baseAddress)
                raw.pointee.size = CInt(clamping: bytes.count)
                return av.av_write_frame(context, raw)
            }
        }
        guard status >= 0 else { throw failed("cannot write the packet shown at tick \(ticks.presentation)", status) }
    }

    /// Tells the library of a gap in a fragmented file.
    ///
    /// A fragment's first packet of a track is otherwise placed directly behind the track's packet before it, whatever
    /// its time: what was written of that packet's duration is taken for the truth.
    private func noteGap(before ticks: Ticks, track: Int) {
        guard isFragmented else { return }
        if let end = streams[track].end, ticks.decode > end {
            _ = av.av_opt_set(context.pointee.priv_data, "movflags", "+frag_discont", 0)
        }
        streams[track].end = ticks.duration > 0 ? ticks.decode + ticks.duration : nil
    }

    /// Gives the sink the bytes that are whole, where it is not given each packet's at once; fragments go on.
    ///
    /// A sink that fails keeps the reason.
    package func flushBuffer() { av.avio_flush(context.pointee.pb) }

    /// Completes the file: writes the trailer and whatever is held; call once.
    ///
    /// - Throws: ``LibAVError`` with `.failure`.
    package func finish() throws(LibAVError) {
        let status = av.av_write_trailer(context)
        guard status >= 0 else { throw failed("cannot complete the file", status) }
    }
}

// MARK: - Times

extension LibAVMuxer {
    /// Ticks per second of a track's clock in the container; each lasts one part of a second in all of them.
    package func timescale(track: Int) -> Int32 { streams[track].pointer.pointee.time_base.den }

    /// The tick of a track's clock in the container that is nearest to a time, clamped to 62 bits.
    package func ticks(_ time: MediaTime, track: Int = 0) -> Int64 {
        // Sums of two such ticks fit.
        min(max(time.nearestTick(timescale: timescale(track: track)), -(1 << 62)), 1 << 62)
    }

    /// Refuses a presentation time before zero where the container has none.
    ///
    /// - Throws: ``LibAVError`` with `.invalidValue`.
    package func checkPresentation(_ timing: Timing, track: Int = 0) throws(LibAVError) {
        guard !container.hasNegativePresentationTimes(streams[track].isVideo),
            ticks(timing.presentation, track: track) < 0
        else { return }
        throw LibAVError(
            .invalidValue, reason: "presentation time \(timing.presentation), expected 0 or later in \(container.name)")
    }

    private func packetTimes(
        _ timing: Timing, _ track: Int, decode: Int64
    ) throws(LibAVError) -> Ticks {
        let stream = streams[track]
        let presentation = ticks(timing.presentation, track: track)
        var decode = decode
        let distance: Int64 = container.hasEqualDecodeTimes ? 0 : 1
        // Where the container's ticks are too long for the distances.
        if !container.hasNegativeDecodeTimes {
            decode = min(max(decode, (stream.lastDecodeTicks ?? -distance) + distance), presentation)
        }
        if let last = stream.lastDecodeTicks, decode < last + distance {
            throw LibAVError(
                .invalidValue,
                reason: "decode time \(timing.decode) falls on the tick of the frame before: \(container.name) "
                    + "counts \(stream.pointer.pointee.time_base.den) ticks in a second")
        }
        let duration =
            (timing.duration ?? stream.nominalDuration).map { ticks($0, track: track) }
            ?? stream.lastDecodeTicks.map { decode - $0 } ?? stream.lastDuration
        (streams[track].lastDecodeTicks, streams[track].lastDuration) = (decode, duration)
        return Ticks(presentation: presentation, decode: decode, duration: max(duration, 0))
    }
}

extension MediaTime {
    /// The smallest timescale in which times of both are whole numbers; the larger of them where 31 bits cannot hold
    /// that.
    package static func commonTimescale(_ first: Int32, _ second: Int32) -> Int32 {
        var (a, b) = (first, second)
        while b != 0 { (a, b) = (b, a % b) }
        return Int32(exactly: Int64(first) / Int64(a) * Int64(second)) ?? max(first, second)
    }
}

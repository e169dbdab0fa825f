// SPDX-License-Identifier: MIT

import CLibAV
import EncoderAPI
import FLV
import LibAV

/// Sole owner of an open container, of which it reads the packets of one video stream, of sound, or of both.
final class LibAVDemuxer {
    /// What is read of a container.
    enum Streams {
        /// Its video.
        case video
        /// Its video, and its sound where it has some, as a copy takes them.
        case videoAndSound
        /// Its sound.
        case sound
    }

    let av: CLibAV
    let path: String
    /// The stream of video, or of sound where that alone is read.
    ///
    /// Valid as long as this object.
    let stream: UnsafeMutablePointer<AVStream>
    /// The stream of sound that is read beside video; nil for none.
    ///
    /// Valid as long as this object.
    let sound: UnsafeMutablePointer<AVStream>?
    private let input: LibAVInput
    private let complaints = LibAVComplaints()
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// Where the file says that it ends, where it does.
    private let statedEnd: Int64?
    private let isFLV: Bool
    private let isTransportStream: Bool
    /// What the demuxer found wrong and passed over; the packets before it are good.
    private var damage: MediaFileError?

    /// Reads the headers of a file, and as many packets as it takes to know its streams.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - streams: What is read.
    /// - Throws: ``MediaFileError`` with `.unsupported` when no format is recognized or what is to be read is not in
    ///   it, `.corrupt`.
    init(_ file: InputFile, streams: Streams = .video) throws(MediaFileError) {
        let av = try MediaFileError.wrapping(LibAV.load)
        self.av = av
        path = file.path
        statedEnd = MatroskaExtent.end(of: try file.peek(MatroskaExtent.headerLength))
        isFLV = try file.peek(FLVHeader.signature.count).elementsEqual(FLVHeader.signature)
        input = try LibAVInput(av, file: file)
        var opened = av.avformat_alloc_context()
        guard let context = opened else { throw MediaFileError(.outOfMemory, reason: "no memory for a demuxer") }
        context.pointee.pb = input.context
        clibav_forbid_opening(context)
        context.pointee.opaque = complaints.opaque
        // A failure frees the context.
        let opening = av.avformat_open_input(&opened, nil, nil, nil)
        guard opening >= 0 else { throw Self.cannotOpen(av, input, complaints, status: opening) }
        self.context = context
        let format = context.pointee.iformat.map { String(cString: $0.pointee.name) }
        isTransportStream = format == "mpegts"
        let isCopiedMP4 = streams == .videoAndSound && format?.hasPrefix("mov,mp4") == true
        if isCopiedMP4 {
            // An MP4 file states where each access unit lies, when it is decoded and shown, and which are sync samples:
            // what the library's parser finds in the pictures besides takes a tenth of the time of a copy.
            context.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN
        }
        let isKnown = isCopiedMP4 && StatedStreams.areEnough(context)
        let status = isKnown ? 0 : av.avformat_find_stream_info(context, nil)
        let type = streams == .sound ? AVMEDIA_TYPE_AUDIO : AVMEDIA_TYPE_VIDEO
        let index = status < 0 ? status : av.av_find_best_stream(context, type, -1, -1, nil, 0)
        guard index >= 0, let stream = context.pointee.streams[Int(index)] else {
            av.avformat_close_input(&opened)
            throw input.failure ?? Self.damage(complaints, path: file.path)
                ?? MediaFileError(
                    .unsupported, reason: "no \(streams == .sound ? "sound" : "video") in it", path: file.path,
                    status: Int(index))
        }
        self.stream = stream
        let soundIndex =
            streams == .videoAndSound ? av.av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, index, nil, 0) : -1
        sound = soundIndex < 0 ? nil : context.pointee.streams[Int(soundIndex)]
        noteDamage()
        for other in 0..<Int(context.pointee.nb_streams) where other != Int(index) && other != Int(soundIndex) {
            context.pointee.streams[other]?.pointee.discard = AVDISCARD_ALL
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        av.avformat_close_input(&context)
    }

    private static func cannotOpen(
        _ av: CLibAV, _ input: LibAVInput, _ complaints: LibAVComplaints, status: CInt
    ) -> MediaFileError {
        if let failure = input.failure ?? damage(complaints, path: input.file.path) { return failure }
        return MediaFileError(
            .unsupported,
            reason: "not video that libavformat can open (\(av.message(status))); bare samples need a "
                + "size and a format", path: input.file.path, byteOffset: input.file.position, status: Int(status))
    }

    /// Bytes the library took from the file so far.
    var byteOffset: Int64 { input.file.position }

    /// The container's names, comma-separated, such as "mov,mp4,m4a,3gp,3g2,mj2".
    var formatName: String { context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? "unknown" }

    /// Whether the format carries no times, as elementary streams do not.
    var hasNoTimes: Bool { (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_NOTIMESTAMPS != 0 }

    var codecID: AVCodecID { stream.pointee.codecpar.pointee.codec_id }
    var codecName: String { av.name(codecID) }

    /// Frames per second as the container states or its times show; nil where neither does.
    ///
    /// The library's guess may be the clock of a stream whose frames vary: rates that no encoder takes are passed over.
    var frameRate: FrameRate? {
        let rates = [
            av.av_guess_frame_rate(context, stream, nil), stream.pointee.r_frame_rate, stream.pointee.avg_frame_rate,
        ]
        return rates.lazy.map { FrameRate(numerator: Int($0.num), denominator: Int($0.den)) }.first(where: \.isLegal)
    }

    /// Bits per second as the container states; nil where it does not.
    var bitRate: Int? {
        let rate = stream.pointee.codecpar.pointee.bit_rate
        if rate > 0 { return Int(rate) }
        return context.pointee.nb_streams == 1 && context.pointee.bit_rate > 0 ? Int(context.pointee.bit_rate) : nil
    }

    /// Whether the codec loses what it cannot afford; for codecs that can do both, whether it may have.
    var isLossy: Bool {
        guard let descriptor = av.avcodec_descriptor_get(codecID) else { return true }
        return descriptor.pointee.props & AV_CODEC_PROP_LOSSY != 0
    }

    /// Degrees by which players turn the pictures; nil where they do not.
    var rotation: Int? {
        guard let matrix = av.av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, nil) else { return nil }
        let degrees = UnsafeRawPointer(matrix).withMemoryRebound(to: Int32.self, capacity: 9) {
            av.av_display_rotation_get($0)
        }
        guard degrees.isFinite, let rotation = Int(exactly: degrees.rounded()), rotation != 0 else { return nil }
        return rotation
    }

    /// What the file has beside the video: "audio", "subtitle", each once.
    var otherStreams: [String] {
        let names: [(type: AVMediaType, name: String)] = [
            (AVMEDIA_TYPE_AUDIO, "audio"), (AVMEDIA_TYPE_SUBTITLE, "subtitles"), (AVMEDIA_TYPE_VIDEO, "other video"),
        ]
        let types = (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }.filter {
            $0 != stream && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        }.map { $0.pointee.codecpar.pointee.codec_type }
        return names.filter { types.contains($0.type) }.map(\.name)
    }

    /// What the container says of something beside the stream, as `Value` in libavutil's memory.
    func sideData<Value>(_ type: AVPacketSideDataType, as _: Value.Type) -> Value? {
        var size = 0
        guard let bytes = av.av_stream_get_side_data(stream, type, &size), size >= MemoryLayout<Value>.size else {
            return nil
        }
        return UnsafeRawPointer(bytes).loadUnaligned(as: Value.self)
    }

    func pixelAspectRatio(_ frame: UnsafeMutablePointer<AVFrame>) -> PixelAspectRatio? {
        let ratio = av.av_guess_sample_aspect_ratio(context, stream, frame)
        guard (1...65535).contains(ratio.num), (1...65535).contains(ratio.den) else { return nil }
        return PixelAspectRatio(horizontalSpacing: Int(ratio.num), verticalSpacing: Int(ratio.den))
    }

    /// A time of the stream; nil when there is none, or it does not fit 64 bits.
    func time(_ ticks: Int64) -> MediaTime? { time(ticks, of: stream) }

    /// A time of one of the streams; nil when there is none, or it does not fit 64 bits.
    func time(_ ticks: Int64, of stream: UnsafeMutablePointer<AVStream>) -> MediaTime? {
        let base = stream.pointee.time_base
        guard ticks != clibav_no_time(), base.num > 0, base.den > 0 else { return nil }
        let (value, overflow) = ticks.multipliedReportingOverflow(by: Int64(base.num))
        return overflow ? nil : MediaTime(value: value, timescale: base.den)
    }

    /// Reads the next packet of the stream, or of its sound where that is read too.
    ///
    /// - Returns: False at the end of the file.
    /// - Throws: ``MediaFileError`` with `.truncated`, `.corrupt`, or what reading the file threw.
    func read(into packet: LibAVPacket) throws(MediaFileError) -> Bool {
        while true {
            packet.clear()
            let status = av.av_read_frame(context, packet.pointer)
            if let failure = input.failure { throw failure }
            noteDamage()
            if status == clibav_error_end_of_file() {
                try checkEnd()
                if let damage { throw damage }
                return false
            }
            // Damage may be found when packets are read ahead, to know the streams.
            if let damage, status < 0 || packet.byteOffset ?? .max >= damage.byteOffset ?? 0 { throw damage }
            guard status >= 0 else {
                throw MediaFileError(
                    .corrupt, reason: "cannot read on: \(av.message(status))", path: path, byteOffset: byteOffset,
                    status: Int(status))
            }
            let index = packet.pointer.pointee.stream_index
            if index == stream.pointee.index || index == sound?.pointee.index { return true }
        }
    }

    private func noteDamage() {
        if damage == nil, isTransportStream, let offset = input.packetLoss {
            damage = MediaFileError(
                .corrupt, reason: "the file is damaged: no transport packet at byte \(offset)", path: path,
                byteOffset: offset)
        }
        let found = Self.damage(complaints, path: path)
        damage = damage ?? found
    }

    /// What the demuxer of a format that the file has found wrong with it, after the last call.
    private static func damage(_ complaints: LibAVComplaints, path: String) -> MediaFileError? {
        complaints.take().map {
            MediaFileError(.corrupt, reason: "the file is damaged: \($0.text)", path: path, byteOffset: $0.offset)
        }
    }

    private func checkEnd() throws(MediaFileError) {
        let end = input.file.size ?? input.file.position
        if isFLV, try !FLVExtent.isComplete(input.file) {
            throw MediaFileError(
                .truncated, reason: "the file ends inside a tag at byte \(end)", path: path, byteOffset: end)
        }
        if isTransportStream, input.endsInsidePacket {
            throw MediaFileError(
                .truncated, reason: "the file ends inside a transport packet", path: path, byteOffset: end)
        }
        guard let statedEnd, end < statedEnd else { return }
        throw MediaFileError(
            .truncated, reason: "the file ends at byte \(end) of the \(statedEnd) that its header states", path: path,
            byteOffset: end)
    }
}

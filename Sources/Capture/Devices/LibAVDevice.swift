// SPDX-License-Identifier: MIT

import CLibAV
import EncoderAPI
import LibAV

/// Sole owner of one open input of libavdevice, used on one thread.
final class LibAVDevice {
    /// What a device gives.
    enum Reading {
        /// The packet was filled.
        case packet
        /// There is nothing yet.
        case nothing
        case ended
        /// A status of the library.
        case failed(CInt)
    }

    /// What is to be opened.
    struct Request {
        /// libavdevice's name of the kind of device.
        var format: String
        var address: String
        var options: [(name: String, value: String)] = []
        /// Whether pictures are read, or sound.
        var isVideo: Bool
        /// Whether frames are looked at to know their rate.
        var findsRate = false
    }

    /// A failure to open: the library's status, and what it said.
    struct Refusal: Error {
        var status: CInt
        var text: String
    }

    let av: CLibAV
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let lines: LogLines
    /// The stream that is read; valid as long as this object.
    let stream: UnsafeMutablePointer<AVStream>

    /// Opens a device; may block for as long as a server takes.
    ///
    /// - Returns: The device, or why the library does not open it.
    /// - Throws: ``CaptureError`` with `.libraryMissing`, `.unsupported` where libavdevice has no such kind of device,
    ///   `.outOfMemory`.
    static func open(
        _ request: Request, _ source: CaptureSource
    ) throws(CaptureError) -> Result<LibAVDevice, Refusal> {
        let (av, devices) = try CaptureError.wrapping(source) { () throws(LibAVError) in
            (try LibAV.load(), try LibAV.loadDevices())
        }
        guard let format = devices.av_find_input_format(request.format) else {
            throw CaptureError(
                .unsupported,
                reason: "this libavdevice has no \(request.format); Debian's package libavdevice59 has it",
                source: source.description)
        }
        var opened = av.avformat_alloc_context()
        guard let context = opened else {
            throw CaptureError(.outOfMemory, reason: "no memory for a device", source: source.description)
        }
        clibav_never_block(context)
        let lines = LogLines()
        var options: OpaquePointer?
        defer { av.av_dict_free(&options) }
        for (name, value) in request.options { _ = av.av_dict_set(&options, name, value, 0) }
        // A failure frees the context.
        let status = lines.keeping { av.avformat_open_input(&opened, request.address, format, &options) }
        guard status >= 0 else {
            return .failure(Refusal(status: status, text: DeviceText.oneLine(lines.text)))
        }
        // A graph's rate shows only in its frames, which the library keeps for the reads that follow.
        if request.findsRate { _ = lines.keeping { av.avformat_find_stream_info(context, nil) } }
        let type = request.isVideo ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let stream = context.pointee.streams[index] else { continue }
            if stream.pointee.codecpar.pointee.codec_type == type {
                return .success(LibAVDevice(av, context, stream, lines))
            }
        }
        av.avformat_close_input(&opened)
        throw CaptureError(
            .unsupported, reason: "it gives no \(request.isVideo ? "pictures" : "sound")", source: source.description)
    }

    private init(
        _ av: CLibAV, _ context: UnsafeMutablePointer<AVFormatContext>, _ stream: UnsafeMutablePointer<AVStream>,
        _ lines: LogLines
    ) {
        (self.av, self.context, self.stream, self.lines) = (av, context, stream, lines)
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        av.avformat_close_input(&context)
    }

    /// Reads on, without blocking longer than the pace of the device.
    func read(into packet: LibAVPacket) -> Reading {
        packet.clear()
        let status = lines.keeping { av.av_read_frame(context, packet.pointer) }
        guard status < 0 else {
            return packet.pointer.pointee.stream_index == stream.pointee.index ? .packet : .nothing
        }
        switch status {
        case clibav_error_try_again(): return .nothing
        case clibav_error_end_of_file(): return .ended
        default: return .failed(status)
        }
    }

    /// What the library said in the last read, in one line; empty for nothing.
    var complaint: String { DeviceText.oneLine(lines.text) }

    /// Ticks of the stream as microseconds; nil for a packet without a stamp, and one whose stamp no number holds.
    func microseconds(_ packet: LibAVPacket) -> Int64? {
        let ticks = packet.pointer.pointee.pts
        let base = stream.pointee.time_base
        guard ticks != clibav_no_time(), base.num > 0, base.den > 0 else { return nil }
        let scaled = Int128(ticks) * Int128(base.num) * 1_000_000 / Int128(base.den)
        return Int64(exactly: scaled)
    }

    /// Frames per second as the device states; nil where it does not.
    var rate: FrameRate? {
        let rates = [stream.pointee.avg_frame_rate, stream.pointee.r_frame_rate]
        return rates.lazy.filter { $0.num > 0 && $0.den > 0 }
            .map { FrameRate(numerator: Int($0.num), denominator: Int($0.den)) }.first
    }
}

/// What comes from outside and is shown to a person.
enum DeviceText {
    /// The sentences of a text in one line, without characters that a terminal would act on, and not too long.
    static func oneLine(_ text: String) -> String {
        let parts = text.split(whereSeparator: \.isNewline).map { line in
            String(line.unicodeScalars.map { $0.value >= 0x20 && $0.value != 0x7F ? Character($0) : "?" })
        }
        return String(parts.joined(separator: "; ").prefix(400))
    }
}

// SPDX-License-Identifier: MIT

import CLibAV
import FFmpegVideo

/// Sole owner of a file that FFmpeg's libraries have open in this process.
struct TracedVideo: ~Copyable {
    private let video: OpaquePointer

    /// What the filter printed, and the data of the packets that came out of it, one behind the other.
    struct Output {
        var text: String
        var packets: [UInt8]
    }

    /// Why FFmpeg cannot do something.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Opens a file; `format` is FFmpeg's name of an elementary stream's format, nil for containers.
    ///
    /// - Throws: ``Failure``.
    init(path: String, format: String?) throws(Failure) {
        var reason = [CChar](repeating: 0, count: 512)
        guard let video = ffmpeg_video_open(path, format, &reason, reason.count) else {
            let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw Failure(description: "FFmpeg cannot open \(path): \(String(decoding: text, as: UTF8.self))")
        }
        self.video = video
    }

    deinit { ffmpeg_video_close(video) }

    /// The codec's header, from the container or collected from the stream; empty where there is none.
    var extradata: [UInt8] {
        let parameters = ffmpeg_video_stream(video).pointee.codecpar.pointee
        return [UInt8](UnsafeBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size)))
    }

    /// Passes all packets through the filter.
    ///
    /// - Throws: ``Failure`` when the filter refuses the extradata.
    consuming func trace() throws(Failure) -> Output {
        final class Taken {
            var text: [UInt8] = []
            var packets: [UInt8] = []
        }
        let taken = Taken()
        let status = ffmpeg_video_trace(
            video, Unmanaged.passUnretained(taken).toOpaque(),
            { owner, bytes, count in
                guard let owner else { return }
                Unmanaged<Taken>.fromOpaque(owner).takeUnretainedValue().text
                    .append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
            },
            { owner, bytes, count in
                guard let owner else { return }
                Unmanaged<Taken>.fromOpaque(owner).takeUnretainedValue().packets
                    .append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
            })
        guard status >= 0 else { throw Failure(description: "trace_headers ends with \(status)") }
        return withExtendedLifetime(taken) {
            Output(text: String(decoding: taken.text, as: UTF8.self), packets: taken.packets)
        }
    }
}

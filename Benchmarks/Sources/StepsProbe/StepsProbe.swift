// SPDX-License-Identifier: MIT
//
// Bytes of five steps of three seconds, whose rates are 5, 8, 12, 8 and 5 Mbit/s, changed live, of noise of 320x180;
// and how full the fullest second was, in times the largest rate in it.
// usage: StepsProbe ENCODER MODE live|ahead

import EncoderAPI
import EncoderConformance
import Glibc
import OpenH264Backend
import Synchronization
import VAAPIBackend
import X264Backend
import X265Backend

/// How a step's rate is asked for.
enum Mode: String, CaseIterable {
    case average
    case constant
    /// A mean below twice the rate, with the buffer that is usual.
    case variable
    /// The same with a buffer of half a second.
    case variableShort
    /// An average, and a second that carries a fourth more at most.
    case limited
    /// An average, and a second that carries no more.
    case limitedTightly

    func ask(_ live: inout LiveSettings, _ rate: Int) {
        switch self {
        case .average: live.averageBitRate = rate
        case .constant: live.constantBitRate = rate
        case .variable: live.variableBitRate = rate
        case .variableShort: (live.variableBitRate, live.vbvBufferDuration) = (rate, 0.5)
        case .limited, .limitedTightly:
            live.averageBitRate = rate
            let most = self == .limited ? rate / 8 * 5 / 4 : rate / 8
            live.dataRateLimits = [DataRateLimit(bytes: most, seconds: 1)]
        }
    }
}

@main enum StepsProbe {
    private static let rates = [5_000_000, 8_000_000, 12_000_000, 8_000_000, 5_000_000]
    private static let frames = 90
    private static let (width, height) = (320, 180)

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let mode = Mode(rawValue: arguments[2]),
            let (backend, codec) = backend(arguments[1])
        else {
            let modes = Mode.allCases.map(\.rawValue).joined(separator: "|")
            print("usage: StepsProbe x264|x265|openh264|vaapi-h264|vaapi-hevc \(modes) live|ahead")
            exit(64)
        }
        guard let encoder = try backend.listEncoders().first(where: { $0.codec == codec }) else { exit(69) }
        let stream = try encode(encoder, of: backend, mode, isLive: arguments[3] == "live")
        let steps = rates.indices.map { step in
            stream.filter { $0.index / frames == step }.reduce(0) { $0 + $1.bytes }
        }
        print(steps.map(String.init).joined(separator: " "), fullestSecond(of: stream))
    }

    private static func backend(_ name: String) -> (any EncoderBackend, VideoCodec)? {
        switch name {
        case "x264": (X264Backend(), .h264)
        case "x265": (X265Backend(), .hevc)
        case "openh264": (OpenH264Backend(), .h264)
        case "vaapi-h264": (VAAPIBackend(), .h264)
        case "vaapi-hevc": (VAAPIBackend(), .hevc)
        default: nil
        }
    }

    /// A frame that came out; dropped ones have no bytes.
    private struct Frame {
        var index: Int
        var bytes: Int
        var decodeTime: MediaTime
    }

    private static func encode(
        _ encoder: EncoderDescription, of backend: any EncoderBackend, _ mode: Mode, isLive: Bool
    ) throws -> [Frame] {
        var configuration = SessionConfiguration(codec: encoder.codec, width: width, height: height)
        if !encoder.isHardwareAccelerated, backend.identifier != "openh264" { configuration.preset = "ultrafast" }
        configuration.realTime = isLive
        configuration.threadCount = encoder.isHardwareAccelerated ? nil : 1
        mode.ask(&configuration.live, rates[0])
        let format = encoder.isHardwareAccelerated ? PixelFormat.nv12 : .i420
        configuration.pixelFormat = format
        let session = try CompressionSession(configuration, encoder: encoder, of: backend)
        let stream = Mutex<[Frame]>([])
        try session.deliver { frame in
            let index = Int((frame.presentationTime.seconds * 30).rounded())
            let bytes = frame.accessUnit?.data.count ?? 0
            stream.withLock { $0.append(Frame(index: index, bytes: bytes, decodeTime: frame.decodeTime)) }
        }
        let video = SyntheticVideo(format: format, width: width, height: height, content: .busy)
        // Nothing predicts one from another, so that they may come again.
        let pictures = try (0..<7).map { try video.picture(at: $0) }
        for index in 0..<rates.count * frames {
            if index > 0, index.isMultiple(of: frames) {
                let rate = rates[index / frames]
                try session.synchronous.update { mode.ask(&$0, rate) }
            }
            try session.synchronous.encode(
                pictures[index % pictures.count], at: MediaTime(value: Int64(index), timescale: 30))
        }
        try session.synchronous.finish()
        return stream.withLock { $0 }
    }

    /// The fullest of the seconds that begin with a frame, in times the largest rate in it.
    private static func fullestSecond(of stream: [Frame]) -> Double {
        let shares = stream.indices.map { start in
            let end = stream[start].decodeTime + MediaTime(value: 1, timescale: 1)
            let second = stream[start...].prefix { $0.decodeTime < end }
            let most = second.map { rates[min($0.index / frames, rates.count - 1)] }.max() ?? 1
            return Double(second.reduce(0) { $0 + $1.bytes } * 8) / Double(most)
        }
        return shares.max() ?? 0
    }
}

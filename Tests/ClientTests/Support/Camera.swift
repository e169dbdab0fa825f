// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import Synchronization
import TestSupport
import Testing

/// What a client put out, by whatever way it puts things out.
final class Output: Sendable {
    private let list = Mutex<[EncodedFrame]>([])

    var frames: [EncodedFrame] { list.withLock { $0 } }
    func append(_ frame: EncodedFrame) { list.withLock { $0.append(frame) } }

    /// Takes out what is there.
    func takeAll() -> [EncodedFrame] {
        list.withLock { list in
            defer { list = [] }
            return list
        }
    }
}

/// A camera with 30 pictures a second, which are hard to predict unless said otherwise.
struct Camera: Sendable {
    let pictures: [PixelBuffer]

    init(
        width: Int = 320, height: Int = 180, format: PixelFormat = .nv12, content: SyntheticVideo.Content = .busy,
        count: Int = 8
    ) throws {
        let video = SyntheticVideo(format: format, width: width, height: height, content: content)
        pictures = try (0..<count).map { index in try video.picture(at: index) }
    }

    func picture(_ index: Int) -> PixelBuffer { pictures[index % pictures.count] }
    static func time(_ index: Int) -> MediaTime { MediaTime(value: Int64(index), timescale: 30) }
}

/// Checks what came out of a client against what it was asked for.
///
/// - Parameters:
///   - frames: What came out.
///   - codec: What it was coded to.
///   - count: Frames given, all of which must be there.
///   - keyFrames: The frames that are sync frames, and no others.
///   - bitRate: Bits per second that were asked for; nil where none were.
///   - sourceLocation: The test that checks.
/// - Throws: What the decoder says of a stream that it cannot decode.
func expect(
    _ frames: [EncodedFrame], _ codec: VideoCodec, count: Int, keyFrames: [Int], bitRate: Double? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let times = frames.map(\.presentationTime).sorted()
    #expect(times == (0..<count).map(Camera.time), sourceLocation: sourceLocation)
    #expect(frames.allSatisfy { $0.accessUnit != nil }, sourceLocation: sourceLocation)
    let syncs = frames.filter { $0.accessUnit?.isSync == true }.map { Int($0.presentationTime.value) }
    #expect(syncs == keyFrames, sourceLocation: sourceLocation)
    #expect(
        zip(frames, frames.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime }, sourceLocation: sourceLocation)
    let decoded = try await LibAVReferenceDecoder().decode(EncodedStream(codec: codec, frames: frames))
    #expect(decoded.count == count, sourceLocation: sourceLocation)
    guard let bitRate else { return }
    let bits = frames.reduce(0) { $0 + ($1.accessUnit?.data.count ?? 0) * 8 }
    let seconds = Double(count) / 30
    let share = Double(bits) / seconds / bitRate
    // A clip of two seconds gets up to 1.53 times the rate from libx264, which makes up for it later.
    #expect((0.7...1.75).contains(share), "\(share) of the bit rate", sourceLocation: sourceLocation)
}

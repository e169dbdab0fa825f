// SPDX-License-Identifier: MIT

import CameraClient
import ClientSupport
import CoreMedia
import CoreVideo
import EncoderAPI
import Foundation
import ParameterSets
import Publishing
import ReorderClient
import Testing
import TwoCodecClient
import VideoToolbox

/// What clients give out, in each form in which they have it, goes on through Publishing into files.
@Suite struct PublishingTests {
    /// A picture as a client gives it.
    private struct Coded: Sendable {
        var bytes: [UInt8]
        var nalUnits: [Range<Int>]
        var presentationTime: CMTime
        var decodeTime: CMTime
        var isKey: Bool
        /// With a key picture.
        var parameterSets: [Data]

        /// Of bytes with start codes.
        init(annexB: Data, at time: CMTime, decodedAt decodeTime: CMTime, isKey: Bool, parameterSets: [Data]) {
            bytes = [UInt8](annexB)
            nalUnits = AnnexB.nalUnitRanges(in: bytes)
            (presentationTime, self.decodeTime) = (time, decodeTime)
            (self.isKey, self.parameterSets) = (isKey, parameterSets)
        }

        /// Of bytes with lengths of four bytes.
        init(lengths: Data, at time: CMTime, decodedAt decodeTime: CMTime, isKey: Bool, parameterSets: [Data]) {
            bytes = [UInt8](lengths)
            (nalUnits, presentationTime, self.decodeTime) = ([], time, decodeTime)
            (self.isKey, self.parameterSets) = (isKey, parameterSets)
            var offset = 4
            for unit in ElementaryStream.units(of: lengths) {
                nalUnits.append(offset..<offset + unit.count)
                offset += unit.count + 4
            }
        }
    }

    /// Sends pictures through a broadcast into a file of each container, and expects each of them there, at its time.
    private func publish(_ pictures: [Coded], _ codec: VideoCodec, to containers: [String]) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = containers.map { folder.appendingPathComponent("clip.\($0)").path }
        let broadcast = try Broadcast(
            tracks: [.video], outputs: paths.map { path throws(PublishingError) in try .file(path) })
        var format: FormatDescription?
        for picture in pictures {
            if !picture.parameterSets.isEmpty {
                format = try FormatDescription(codec: codec, parameterSets: picture.parameterSets.map { [UInt8]($0) })
            }
            try await broadcast.send(
                MediaPacket(
                    format: try #require(format), presentationTime: MediaTime(picture.presentationTime),
                    decodeTime: MediaTime(picture.decodeTime), isKey: picture.isKey, data: picture.bytes,
                    nalUnits: picture.nalUnits))
        }
        await broadcast.finish()
        #expect(broadcast.statistics.values.allSatisfy { $0.state == .ended }, "\(broadcast.statistics)")

        let first = try #require(pictures.map(\.presentationTime).min())
        for path in paths {
            guard let file = try ContainerFile(path: path) else { return }
            #expect(file.complaints == "", "\(path)")
            #expect(file.decodedCount == pictures.count, "\(path)")
            try #require(file.packets.count == pictures.count, "\(path)")
            #expect(file.packets.map(\.isKey) == pictures.map(\.isKey), "\(path)")
            // FLV has whole milliseconds, of which a distance rounds two; MP4 keeps all times as they are.
            let step = path.hasSuffix("flv") ? 0.001_001 : 0
            let shown = try #require(file.packets.map(\.presentationTime).min())
            let decoded = file.packets[0].decodeTime
            for (packet, picture) in zip(file.packets, pictures) {
                let distances = [
                    CMTimeGetSeconds((packet.presentationTime - shown) - (picture.presentationTime - first)),
                    CMTimeGetSeconds(
                        (packet.decodeTime - decoded) - (picture.decodeTime - pictures[0].decodeTime)),
                ]
                #expect(distances.allSatisfy { abs($0) <= step }, "\(path), \(picture.presentationTime): \(distances)")
            }
            #expect(zip(file.packets, file.packets.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime })
        }
    }

    private final class Receiver: CameraEncoderDelegate, Sendable {
        let sets = Collected<Data>()
        let units = Collected<(data: Data, isKey: Bool, time: CMTime)>()

        func cameraEncoder(_ encoder: CameraEncoder, sps: Data, pps: Data) {
            sets.append(sps)
            sets.append(pps)
        }

        func cameraEncoder(_ encoder: CameraEncoder, unit: Data, isKey: Bool, time: CMTime) {
            units.append((unit, isKey, time))
        }

        func cameraEncoder(_ encoder: CameraEncoder, failed status: OSStatus) { Issue.record("status \(status)") }
    }

    @Test("a camera's bare NAL units at uneven milliseconds become MP4 and FLV", .timeLimit(.minutes(1)))
    func camera() async throws {
        let receiver = Receiver()
        let encoder = CameraEncoder(width: 320, height: 180, frameRate: 30, bitRate: 500_000, peak: 700_000)
        encoder.delegate = receiver
        for index in 0..<75 {
            let picture = TestPictures.make(
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 320, height: 180, index: index)
            encoder.encode(try #require(picture), milliseconds: Int64(index * 1000 / 30 + index % 3))
        }
        encoder.stop()
        let sets = receiver.sets.elements
        try await publish(
            receiver.units.elements.map { unit in
                Coded(
                    annexB: [0, 0, 0, 1] + unit.data, at: unit.time, decodedAt: unit.time, isKey: unit.isKey,
                    parameterSets: unit.isKey ? sets : [])
            }, .h264, to: ["mp4", "flv"])
    }

    @Test(
        "samples with start codes in place of their lengths become MP4, and of H.264 FLV", .timeLimit(.minutes(1)),
        arguments: [TwoCodecEncoder.Kind.h264Main, .hevc])
    func startCodes(kind: TwoCodecEncoder.Kind) async throws {
        let encoder = try #require(TwoCodecEncoder(kind, width: 320, height: 180, frameRate: 30, bitRate: 500_000))
        let frames = Collected<TwoCodecEncoder.Frame>()
        encoder.output = { frame, _ in frames.append(frame) }
        for index in 0..<75 {
            let picture = TestPictures.make(
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 320, height: 180, index: index)
            let time = CMTime(value: Int64(index), timescale: 30)
            #expect(encoder.encode(try #require(picture), at: time, forcesKeyFrame: index == 20) == noErr)
        }
        encoder.finish()
        try await publish(
            frames.elements.map { frame in
                let header = [UInt8](frame.header)
                return Coded(
                    annexB: frame.annexB, at: frame.time, decodedAt: frame.time, isKey: frame.isKey,
                    parameterSets: AnnexB.nalUnitRanges(in: header).map { Data(header[$0]) })
            }, kind == .hevc ? .hevc : .h264, to: kind == .hevc ? ["mp4"] : ["mp4", "flv"])
    }

    @Test(
        "reordered samples with lengths become MP4, and of H.264 FLV, with the client's decode times",
        .timeLimit(.minutes(1)), arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC])
    func reordered(codec: CMVideoCodecType) async throws {
        let muxer = try #require(ReorderingMuxer(codec: codec, width: 320, height: 180, bitRate: 500_000))
        for index in 0..<120 {
            let picture = TestPictures.make(
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 320, height: 180, index: index)
            muxer.encode(
                try #require(picture), at: CMTime(value: Int64(900 + index), timescale: 30),
                duration: CMTime(value: 1, timescale: 30))
        }
        let (packets, delay) = muxer.finish()
        #expect(muxer.failures == [] && delay > .zero)
        let isHEVC = codec == kCMVideoCodecType_HEVC
        try await publish(
            packets.map { packet in
                Coded(
                    lengths: packet.data, at: packet.presentationTime, decodedAt: packet.decodeTime - delay,
                    isKey: packet.isKey, parameterSets: packet.parameterSets)
            }, isHEVC ? .hevc : .h264, to: isHEVC ? ["mp4"] : ["mp4", "flv"])
    }
}

extension MediaTime {
    /// A time of a client's.
    fileprivate init(_ time: CMTime) { self.init(value: time.value, timescale: time.timescale) }
}

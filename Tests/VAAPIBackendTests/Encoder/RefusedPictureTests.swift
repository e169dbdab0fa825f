// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    @Suite struct RefusedPictureTests {
        @Test(
            "DMA-BUFs that the driver refuses cost themselves and a key frame, and neither the encoder nor the device")
        func tiled() async throws {
            var encoding = DeviceEncoding(
                personality: "ihd-tgl", configuration: DeviceEncoding.configuration(.h264, width: 96, height: 80),
                count: 16)
            encoding.configuration.live.constantQuantizer = 32
            // More than the failures of a driver that end in a lost device.
            let refused = [2, 3, 5, 6, 8, 9, 11]
            for index in refused { encoding.replacements[index] = { try Self.tiledPicture(width: 96, height: 80) } }
            let result = try await encoding.run()
            #expect(result.error == nil)
            #expect(result.frames.map(\.presentationTime.value).sorted() == Array(0..<Int64(16)))
            let dropped = result.frames.filter { $0.dropReason != nil }.map { Int($0.presentationTime.value) }
            #expect(dropped == refused)
            // The session asks for a key frame behind each that was refused; the encoder is the same.
            let coded = result.frames.filter { $0.accessUnit != nil }.sorted {
                $0.presentationTime < $1.presentationTime
            }
            #expect(coded.map { $0.accessUnit?.pictureType } == [.i, .p, .i, .i, .i, .i, .p, .p, .p])
            for frame in result.frames {
                guard case .failed(let error) = frame.dropReason else { continue }
                #expect(error.code == .invalidPixelBuffer)
                #expect(error.reason.contains("DMA-BUF"))
            }
        }

        @Test(
            "a key frame that is refused is made up for by the next frame that is not, and an interval counts on",
            arguments: [VideoCodec.h264, .hevc])
        func forced(codec: VideoCodec) async throws {
            var encoding = DeviceEncoding(
                personality: "ihd-tgl", configuration: DeviceEncoding.configuration(codec, width: 96, height: 80),
                count: 30)
            encoding.configuration.live.constantQuantizer = 32
            encoding.configuration.allowFrameReordering = false
            encoding.forced = [10, 20]
            for index in [10, 20, 21, 22] {
                encoding.replacements[index] = { try Self.tiledPicture(width: 96, height: 80) }
            }
            #expect(try await keyFrames(encoding) == [0, 11, 23])
            encoding.forced = []
            encoding.configuration.live.maxKeyFrameInterval = 5
            #expect(try await keyFrames(encoding) == [0, 5, 11, 16, 23, 28])
        }

        @Test("rows that the driver refuses once are mapped by the session from then on, which says so")
        func rows() async throws {
            var encoding = DeviceEncoding(
                configuration: DeviceEncoding.configuration(.h264, width: 96, height: 80), count: 12)
            for index in 0..<12 {
                encoding.replacements[index] = { try Self.picture(width: 96, height: 80, modifier: DMABuf.linear) }
            }
            let taken = try await encoding.run()
            #expect(taken.error == nil && taken.frames.allSatisfy { $0.accessUnit != nil })
            #expect(!taken.adjustments.contains { $0.setting == .pixelFormat })
            // Eleven for reconstructions and one that is tried out come before those for pictures.
            encoding.faults = "createsurfaces:13=invalid_parameter"
            let refused = try await encoding.run()
            #expect(refused.error == nil && refused.frames.allSatisfy { $0.accessUnit != nil })
            #expect(refused.adjustments.filter { $0.setting == .pixelFormat }.map(\.used) == ["mapped into memory"])
        }

        /// The numbers of the pictures that are key frames.
        private func keyFrames(_ encoding: DeviceEncoding) async throws -> [Int64] {
            let result = try await encoding.run()
            #expect(result.error == nil && result.frames.count == 30)
            return result.frames.filter { $0.accessUnit?.isSync == true }.map(\.presentationTime.value)
        }

        /// A picture in Intel's Y tiles, as it says, whose memory is gone when the driver comes to it.
        private static func tiledPicture(width: Int, height: Int) throws -> PixelBuffer {
            let picture = try picture(width: width, height: height, modifier: 1 << 56 | 2)
            let descriptor = try #require(picture.dmaBuf?.objects.first?.descriptor)
            ftruncate(descriptor, 1)
            return picture
        }

        private static func picture(width: Int, height: Int, modifier: UInt64) throws -> PixelBuffer {
            let file = try #require(tmpfile())
            defer { fclose(file) }
            let descriptor = dup(fileno(file))
            let byteCount = width * height * 3 / 2
            ftruncate(descriptor, byteCount)
            let planes = [
                DMABuf.Plane(offset: 0, bytesPerRow: width), DMABuf.Plane(offset: width * height, bytesPerRow: width),
            ]
            let dmaBuf = DMABuf(
                objects: [.init(descriptor: descriptor, byteCount: byteCount)], planes: planes, modifier: modifier)
            return try PixelBuffer(dmaBuf: dmaBuf, format: .nv12, width: width, height: height) { close(descriptor) }
        }
    }
}

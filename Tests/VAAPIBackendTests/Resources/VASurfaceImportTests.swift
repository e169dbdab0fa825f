// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Logging
import SoftVA
import Testing

@testable import VAAPIBackend

/// Modifiers of Intel's tiles, by drm_fourcc.h.
private enum Tiles {
    static let x: UInt64 = 1 << 56 | 1
    static let y: UInt64 = 1 << 56 | 2
    static let four: UInt64 = 1 << 56 | 9
    static let all = [x, y, four]
}

extension VASurfaceImport {
    /// Which of Intel's tiles are taken, after rows.
    fileprivate mutating func takenTiles() -> [UInt64] {
        let takesRows = takes(DMABuf(objects: [], planes: [], modifier: DMABuf.linear))
        #expect(takesRows)
        return Tiles.all.filter { takes(DMABuf(objects: [], planes: [], modifier: $0)) }
    }
}

extension SoftVATests {
    @Suite struct VASurfaceImportTests {
        @Test(
            "rows are taken, and tiles where the driver's own surfaces are arranged so",
            arguments: [("strict", []), ("radeonsi-new", []), ("ihd-tgl", [Tiles.y]), ("ihd-mtl", [Tiles.four])])
        func tiles(personality: String, expected: [UInt64]) throws {
            let display = try SoftVADisplay(personality)
            do {
                let handle = try VADisplayHandle(opening: display.device, logger: Logger(label: "test"))
                for fourcc in [VA_FOURCC_NV12, VA_FOURCC_P010] {
                    var importer = VASurfaceImport(handle, isOffered: true, fourcc: UInt32(fourcc))
                    #expect(importer.takenTiles() == expected)
                }
                var none = VASurfaceImport(handle, isOffered: false, fourcc: UInt32(VA_FOURCC_NV12))
                let takesRows = none.takes(DMABuf(objects: [], planes: []))
                #expect(!takesRows)
            }
            display.expectClean()
        }

        @Test(
            "a picture of the session's pool is encoded as the DMA-BUF that it is exported as, and shows the same",
            arguments: [("strict", VideoCodec.h264), ("ihd-tgl", .hevc)])
        func exported(personality: String, codec: VideoCodec) async throws {
            let display = try SoftVADisplay(personality)
            var streams: [[UInt8]] = []
            for isExported in [false, true] {
                streams.append(try await Self.stream(display.device, codec, isExported: isExported))
            }
            #expect(streams[0] == streams[1])
            #expect(throws: EncoderError.self) {
                try VAAPIBackend.dmaBuf(of: PixelBuffer(MutablePixelBuffer(format: .nv12, width: 64, height: 64)))
            }
            display.expectClean()
        }

        /// Encodes three pictures that are written to the session's surfaces.
        private static func stream(
            _ device: VADevice, _ codec: VideoCodec, isExported: Bool
        ) async throws -> [UInt8] {
            var configuration = DeviceEncoding.configuration(codec, width: 128, height: 128)
            configuration.live.constantQuantizer = 30
            let backend = VAAPIBackend(devices: [device])
            let session = try CompressionSession(
                configuration, encoder: try await backend.encoder(for: codec), of: backend)
            try await session.prepare()
            for index in 0..<3 {
                var buffer = try session.pixelBufferPool.makeMutablePixelBuffer()
                for plane in 0..<2 {
                    buffer.withMutablePlane(plane) { bytes, _ in
                        for place in bytes.indices { bytes[place] = UInt8(truncatingIfNeeded: place / 7 * (index + 1)) }
                    }
                }
                let picture = PixelBuffer(buffer)
                try #require(picture.kind == .surface)
                try await session.encode(
                    isExported ? VAAPIBackend.dmaBuf(of: picture) : picture,
                    at: MediaTime(value: Int64(index), timescale: 30))
            }
            try await session.finish()
            #expect(!session.adjustments.contains { $0.setting == .pixelFormat })
            var stream: [UInt8] = []
            for try await frame in session.encodedFrames { stream += frame.accessUnit.map { [UInt8]($0.data) } ?? [] }
            #expect(!stream.isEmpty)
            return stream
        }

        @Test("a driver that makes no surface is asked for none that is not in rows")
        func noSurface() throws {
            let display = try SoftVADisplay("ihd-tgl", faults: "createsurfaces:1=allocation_failed")
            do {
                let handle = try VADisplayHandle(opening: display.device, logger: Logger(label: "test"))
                var importer = VASurfaceImport(handle, isOffered: true, fourcc: UInt32(VA_FOURCC_NV12))
                #expect(importer.takenTiles() == [])
            }
            display.expectClean()
        }
    }
}

extension IntelDriverTests {
    @Test(
        "Intel's driver has Y tiles up to Alder Lake, and 4 tiles on DG2", .requiresIntelDriver(.free),
        arguments: ["kbl", "tgl", "adlp", "dg2"])
    func ownTiles(chip: String) async throws {
        try await IntelMachine(chip: chip).run {
            await #expect(processExitsWith: .success) {
                let chip = try IntelMachine.current().chip
                let display = try VADisplayHandle(
                    opening: .renderNode(RenderNode(path: "/dev/dri/renderD128")), logger: Logger(label: "test"))
                var importer = VASurfaceImport(display, isOffered: true, fourcc: UInt32(VA_FOURCC_NV12))
                #expect(importer.takenTiles() == [chip == "dg2" ? Tiles.four : Tiles.y])
            }
        }
    }
}

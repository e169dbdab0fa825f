// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import Logging
import SoftVA
import TestSupport
import Testing

@testable import VAAPIBackend

extension SoftVATests {
    @Suite struct VAImageUploadTests {
        @Test(
            "what is uploaded is in the surface, with its last column and row repeated beyond the picture",
            arguments: [
                ("strict", nil, 8, true), ("strict", nil, 10, true), ("radeonsi-old", nil, 8, false),
                ("radeonsi-old", nil, 10, false), ("strict", "derive=operation_failed", 8, false),
            ] as [(String, String?, Int, Bool)])
        func samples(personality: String, faults: String?, depth: Int, derives: Bool) throws {
            let display = try SoftVADisplay(personality, faults: faults)
            do {
                let pool = try pool(display, depth: depth)
                var upload = VAImageUpload(to: pool, quirks: [])
                var random = SeededGenerator(seed: 12)
                // The second picture finds what the first left behind: memory, and the way that works.
                for (width, height) in [(127, 65), (128, 96)] {
                    let picture = try picture(width, height, depth: depth, &random)
                    let surface = try pool.take()
                    try upload.copy(picture, to: surface)
                    #expect(upload.derives == derives)
                    #expect(try samples(of: surface, pool) == expected(picture, pool))
                }
            }
            display.expectClean()
        }

        @Test("a driver that is known for tiled images is not asked to derive one")
        func quirk() throws {
            let display = try SoftVADisplay("strict", faults: "derive=operation_failed")
            do {
                let pool = try pool(display, depth: 8)
                var upload = VAImageUpload(to: pool, quirks: [.derivesTiledImages])
                var random = SeededGenerator(seed: 13)
                let picture = try picture(128, 96, depth: 8, &random)
                let surface = try pool.take()
                try upload.copy(picture, to: surface)
                #expect(softva_count(SOFTVA_FAULTS) == 0)
                #expect(try samples(of: surface, pool) == expected(picture, pool))
            }
            display.expectClean()
        }

        @Test("a picture of another format, or larger than the surface, is refused", arguments: [0, 1, 2])
        func refused(index: Int) throws {
            let display = try SoftVADisplay()
            do {
                let pool = try pool(display, depth: 8)
                var upload = VAImageUpload(to: pool, quirks: [])
                let (format, width, height): (PixelFormat, Int, Int) =
                    [(.p010, 128, 96), (.nv12, 130, 96), (.nv12, 128, 98)][index]
                let picture = PixelBuffer(try MutablePixelBuffer(format: format, width: width, height: height))
                let surface = try pool.take()
                do throws(EncoderError) {
                    try upload.copy(picture, to: surface)
                    Issue.record("\(width)x\(height) in \(format) was taken")
                } catch {
                    #expect(error.code == .invalidPixelBuffer)
                    #expect(error.reason.contains("\(width)x\(height)"))
                }
            }
            display.expectClean()
        }

        @Test("a pool gives as many surfaces as it may, and again those that came back")
        func pool() throws {
            let display = try SoftVADisplay()
            do {
                let pool = try pool(display, depth: 8)
                var held = [try pool.take(), try pool.take()]
                let ids = Set(held.map(\.id))
                #expect(ids.count == 2)
                let error = #expect(throws: EncoderError.self) { try pool.take() }
                #expect(error?.reason == "all 2 surfaces are in use")
                held.removeLast()
                #expect(try ids.contains(pool.take().id))
            }
            display.expectClean()
        }

        @Test("a pool whose driver has no memory for surfaces says so, and leaves nothing behind")
        func noMemory() throws {
            let display = try SoftVADisplay("strict", faults: "createsurfaces:1=allocation_failed")
            do {
                let pool = try pool(display, depth: 8)
                let error = #expect(throws: EncoderError.self) { try pool.take() }
                #expect(error?.code == .outOfMemory)
                #expect(error?.reason.hasPrefix("vaCreateSurfaces of 128x96: ") == true)
                _ = try pool.take()
            }
            display.expectClean()
        }

        private func pool(_ display: borrowing SoftVADisplay, depth: Int) throws -> VASurfacePool {
            let handle = try VADisplayHandle(opening: display.device, logger: Logger(label: "test"))
            return VASurfacePool(handle, width: 128, height: 96, bitDepth: depth, capacity: 2)
        }

        private func picture(
            _ width: Int, _ height: Int, depth: Int, _ random: inout SeededGenerator
        ) throws -> PixelBuffer {
            let format: PixelFormat = depth == 10 ? .p010 : .nv12
            var buffer = try MutablePixelBuffer(format: format, width: width, height: height)
            for plane in 0..<2 {
                let bytes = random.bytes(count: 1 << 16)
                buffer.withMutablePlane(plane) { memory, _ in
                    for index in memory.indices { memory[index] = bytes[index % bytes.count] }
                }
            }
            return PixelBuffer(buffer)
        }

        /// The bytes that a surface should have: rows of both planes, without what lies between them.
        private func expected(_ picture: PixelBuffer, _ pool: VASurfacePool) -> [UInt8] {
            let sample = picture.format.bytesPerSample
            var bytes: [UInt8] = []
            for (plane, unit) in [(0, sample), (1, 2 * sample)] {
                let columns = picture.format.rowBytes(plane: plane, width: picture.width) / unit
                let rows = picture.format.rows(plane: plane, height: picture.height)
                let start = picture.unsafeAddress(plane: plane)
                for row in 0..<pool.height / (plane + 1) {
                    for column in 0..<pool.width / (plane + 1) {
                        let place =
                            min(row, rows - 1) * picture.bytesPerRow(plane: plane) + min(column, columns - 1) * unit
                        for byte in 0..<unit { bytes.append(start.load(fromByteOffset: place + byte, as: UInt8.self)) }
                    }
                }
            }
            return bytes
        }

        /// Reads a surface back, through an image that the upload did not use.
        private func samples(of surface: VASurface, _ pool: VASurfacePool) throws -> [UInt8] {
            let display = surface.display
            var image = try VAImageHandle(of: pool)
            let status = display.library.call.vaGetImage(
                display.raw, surface.id, 0, 0, UInt32(pool.width), UInt32(pool.height), image.id)
            try display.library.check(status, "vaGetImage")
            let rowBytes = pool.width * (pool.fourcc == UInt32(VA_FOURCC_P010) ? 2 : 1)
            var bytes: [UInt8] = []
            try image.withPlanes { planes in
                for (index, plane) in planes.enumerated() {
                    for row in 0..<pool.height / (index + 1) {
                        let start = plane.start + row * plane.bytesPerRow
                        bytes += UnsafeRawBufferPointer(start: start, count: rowBytes)
                    }
                }
            }
            return bytes
        }
    }
}

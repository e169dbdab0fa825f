// SPDX-License-Identifier: MIT

#if os(Linux)
    import Foundation
    import EKCoreFoundation
    import EKCoreVideo
    import EncoderAPI
    import Synchronization
    import Testing

    @Suite struct WrappingTests {
        /// What release callbacks said, for the test that made it.
        private final class Released: Sendable {
            let count = Atomic(0)
            let planes = Atomic(0)
            var refCon: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

            static func at(_ refCon: UnsafeMutableRawPointer?) -> Released? {
                refCon.map { Unmanaged<Released>.fromOpaque($0).takeUnretainedValue() }
            }
        }

        @Test("bytes are used where they are, and released once when neither client nor session holds them")
        func packed() throws {
            let (released, bytes) = (Released(), UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 64))
            defer { bytes.deallocate() }
            var buffer: CVPixelBuffer?
            let status = CVPixelBufferCreateWithBytes(
                nil, 16, 16, kCVPixelFormatType_32BGRA, bytes, 100,
                { refCon, address in
                    #expect(address != nil)
                    Released.at(refCon)?.count.add(1, ordering: .relaxed)
                }, released.refCon, nil, &buffer)
            #expect(status == kCVReturnSuccess)
            #expect(CVPixelBufferGetBaseAddress(try #require(buffer)) == bytes)
            #expect(buffer.map(CVPixelBufferGetBytesPerRow) == 100)
            #expect(buffer.map(CVPixelBufferGetPlaneCount) == 0)
            var picture = try buffer?.pixelBuffer()
            buffer = nil
            #expect(released.count.load(ordering: .relaxed) == 0)
            #expect(picture?.bytesPerRow(plane: 0) == 100)
            picture = nil
            #expect(released.count.load(ordering: .relaxed) == 1)
        }

        /// Wraps planes of 420v, 6x4 by default; the callback counts.
        private func wrap(
            _ released: Released, _ bytes: UnsafeMutableRawPointer, planes: Int = 2, widths: [Int] = [6, 3],
            heights: [Int] = [4, 2], rows: [Int] = [8, 10], format: OSType? = nil, bases: [Int?] = [0, 64]
        ) -> (CVReturn, CVPixelBuffer?) {
            var (widths, heights, rows) = (widths, heights, rows)
            var addresses = bases.map { offset in offset.map { bytes + $0 } }
            var buffer: CVPixelBuffer?
            let status = CVPixelBufferCreateWithPlanarBytes(
                nil, 6, 4, format ?? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, bytes, 128, planes, &addresses,
                &widths, &heights, &rows,
                { refCon, data, size, count, addresses in
                    let released = Released.at(refCon)
                    #expect(data != nil && size == 128 && addresses?[0] == data)
                    released?.count.add(1, ordering: .relaxed)
                    released?.planes.add(count, ordering: .relaxed)
                }, released.refCon, nil, &buffer)
            return (status, buffer)
        }

        @Test("planes are used where they are, and released once")
        func planar() throws {
            let (released, bytes) = (Released(), UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 64))
            defer { bytes.deallocate() }
            var buffer = wrap(released, bytes).1
            #expect(CVPixelBufferGetBaseAddressOfPlane(try #require(buffer), 1) == bytes + 64)
            #expect(buffer.map { CVPixelBufferGetBytesPerRowOfPlane($0, 1) } == 10)
            #expect(buffer.map(CVPixelBufferGetDataSize) == 128)
            buffer = nil
            #expect(released.count.load(ordering: .relaxed) == 1)
            #expect(released.planes.load(ordering: .relaxed) == 2)
        }

        @Test("planes that are not the format's are refused, and nothing is released")
        func refusals() {
            let (released, bytes) = (Released(), UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 64))
            defer { bytes.deallocate() }
            let argument = kCVReturnInvalidArgument
            #expect(wrap(released, bytes, planes: 1) == (argument, nil))
            #expect(wrap(released, bytes, planes: 3, widths: [6, 3, 3]) == (argument, nil))
            #expect(wrap(released, bytes, widths: [5, 3]) == (argument, nil))
            #expect(wrap(released, bytes, heights: [4, 3]) == (argument, nil))
            #expect(wrap(released, bytes, rows: [5, 10]) == (argument, nil))
            #expect(wrap(released, bytes, rows: [8, Int(Int32.max) + 1]) == (argument, nil))
            #expect(wrap(released, bytes, rows: [8, -1]) == (argument, nil))
            #expect(wrap(released, bytes, bases: [0, nil]) == (argument, nil))
            #expect(
                wrap(released, bytes, format: kCVPixelFormatType_32BGRA) == (kCVReturnInvalidPixelFormat, nil))
            var buffer: CVPixelBuffer?
            let planar = CVPixelBufferCreateWithBytes(
                nil, 6, 4, kCVPixelFormatType_420YpCbCr8Planar, bytes, 64, nil, nil, nil, &buffer)
            #expect((planar, buffer) == (kCVReturnInvalidPixelFormat, nil))
            let narrow = CVPixelBufferCreateWithBytes(
                nil, 6, 4, kCVPixelFormatType_32BGRA, bytes, 23, nil, nil, nil, &buffer)
            #expect((narrow, buffer) == (argument, nil))
            #expect(released.count.load(ordering: .relaxed) == 0)
        }
    }
#endif

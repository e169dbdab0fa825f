// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@Suite struct DMABufTests {
    @Test("a mapped picture has the samples, and keeps the descriptors open", arguments: PixelFormat.allCases)
    func mapping(format: PixelFormat) throws {
        let picture = try Self.picture(format)
        var mapped: PixelBuffer?
        do { mapped = try SharedPicture(of: picture).picture().mapped() }
        let copy = try #require(mapped)
        #expect(copy.kind == .memory)
        for plane in 0..<format.planeCount {
            let same = picture.withPlane(plane) { left, _ in
                copy.withPlane(plane) { right, _ in left.elementsEqual(right) }
            }
            #expect(same)
            _ = copy.bytesPerRow(plane: plane)
        }
    }

    private static let faults: [(@Sendable (inout DMABuf) -> Void, String)] = [
        ({ $0.planes.removeLast() }, "2 planes, expected 3"),
        ({ $0.objects = [] }, "0 objects, expected 1...4"),
        ({ $0.objects = Array(repeating: $0.objects[0], count: 5) }, "5 objects"),
        ({ $0.objects[0].descriptor = -1 }, "descriptor -1"),
        ({ $0.objects[0].byteCount += 1 }, "expected the"),
        ({ $0.objects[0].byteCount = 0 }, "expected the 0"),
        ({ $0.objects[0].byteCount = .min }, "expected the"),
        ({ $0.planes[1].object = 1 }, "plane 1 lies in object 1, expected 0..<1"),
        ({ $0.planes[1].object = -1 }, "plane 1 lies in object -1"),
        ({ $0.planes[2].offset = -1 }, "plane 2"),
        ({ $0.planes[2].offset += 1 }, "plane 2"),
        ({ $0.planes[2].offset = .max }, "plane 2"),
        ({ $0.planes[0].bytesPerRow = 17 }, "plane 0 has 17 bytes per row, expected 18"),
        ({ $0.planes[0].bytesPerRow = .max }, "plane 0 has"),
        ({ $0.planes[0].bytesPerRow = Int(Int32.max) }, "plane 0 of"),
    ]

    @Test(
        "what does not fit is refused with its name",
        arguments: faults.indices)
    func refusals(index: Int) throws {
        let (change, says) = Self.faults[index]
        let file = try SharedPicture(of: Self.picture(.i420))
        let error = #expect(throws: EncoderError.self) { try file.picture(change) }
        #expect(
            error?.code == .invalidPixelBuffer && error?.reason.contains(says) == true, "\(String(describing: error))")
    }

    private static func picture(_ format: PixelFormat) throws -> PixelBuffer {
        var buffer = try MutablePixelBuffer(format: format, width: 18, height: 10)
        for plane in 0..<format.planeCount {
            buffer.withMutablePlane(plane) { bytes, _ in
                for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index * 7 + plane) }
            }
        }
        return PixelBuffer(buffer)
    }
}

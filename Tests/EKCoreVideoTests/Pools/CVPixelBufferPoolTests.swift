// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreVideo
    import EncoderAPI
    import Foundation
    import TestSupport
    import Testing

    @Suite struct CVPixelBufferPoolTests {
        private static let nv12 = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange

        private func pool(_ attributes: CFDictionary? = nil) throws -> CVPixelBufferPool {
            var pool: CVPixelBufferPool?
            let buffers =
                [
                    kCVPixelBufferWidthKey: 32, kCVPixelBufferHeightKey: 16,
                    kCVPixelBufferPixelFormatTypeKey: Self.nv12,
                ] as CFDictionary
            #expect(CVPixelBufferPoolCreate(kCFAllocatorDefault, attributes, buffers, &pool) == kCVReturnSuccess)
            return try #require(pool)
        }

        private func buffer(_ pool: CVPixelBufferPool, threshold: Int? = nil) -> (CVReturn, CVPixelBuffer?) {
            var buffer: CVPixelBuffer?
            let aux = threshold.map { [kCVPixelBufferPoolAllocationThresholdKey: $0] as CFDictionary }
            let status = CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, aux, &buffer)
            return (status, buffer)
        }

        @Test("memory is used again when nobody holds the buffer, and not while a session reads it")
        func recycling() throws {
            let pool = try pool()
            var first = buffer(pool).1
            let address = first.flatMap(CVPixelBufferGetBaseAddress)
            var picture = try first?.pixelBuffer()
            first = nil
            let second = try #require(buffer(pool).1)
            #expect(CVPixelBufferGetBaseAddress(second) != address)
            #expect(picture != nil)
            picture = nil
            let third = try #require(buffer(pool).1)
            #expect(CVPixelBufferGetBaseAddress(third) == address)
        }

        @Test("as many buffers as the threshold says are there, and no more")
        func threshold() throws {
            let pool = try pool()
            var held = (0..<3).compactMap { _ in buffer(pool, threshold: 3).1 }
            #expect(held.count == 3)
            #expect(buffer(pool, threshold: 3) == (kCVReturnWouldExceedAllocationThreshold, nil))
            #expect(buffer(pool, threshold: 0).0 == kCVReturnWouldExceedAllocationThreshold)
            held.removeLast()
            #expect(buffer(pool, threshold: 3).0 == kCVReturnSuccess)
            #expect(buffer(pool).0 == kCVReturnSuccess)
        }

        @Test("a pool without size or format, or with wrong ones, is refused")
        func refusals() {
            let rows: [([CFString: Any], CVReturn)] = [
                ([:], kCVReturnInvalidPixelBufferAttributes),
                ([kCVPixelBufferWidthKey: 16, kCVPixelBufferHeightKey: 16], kCVReturnInvalidPixelBufferAttributes),
                (
                    [
                        kCVPixelBufferWidthKey: "16", kCVPixelBufferHeightKey: 16,
                        kCVPixelBufferPixelFormatTypeKey: Self.nv12,
                    ],
                    kCVReturnInvalidPixelBufferAttributes
                ),
                (
                    [
                        kCVPixelBufferWidthKey: 16, kCVPixelBufferHeightKey: -1,
                        kCVPixelBufferPixelFormatTypeKey: Self.nv12,
                    ],
                    kCVReturnInvalidSize
                ),
                (
                    [kCVPixelBufferWidthKey: 16, kCVPixelBufferHeightKey: 16, kCVPixelBufferPixelFormatTypeKey: 7],
                    kCVReturnInvalidPixelFormat
                ),
                (
                    [
                        kCVPixelBufferWidthKey: 16, kCVPixelBufferHeightKey: 16,
                        kCVPixelBufferPixelFormatTypeKey: [7, Self.nv12],
                    ],
                    kCVReturnSuccess
                ),
            ]
            for (attributes, expected) in rows {
                var pool: CVPixelBufferPool?
                #expect(CVPixelBufferPoolCreate(nil, nil, attributes as CFDictionary, &pool) == expected)
                #expect((pool != nil) == (expected == kCVReturnSuccess))
            }
            var pool: CVPixelBufferPool?
            #expect(CVPixelBufferPoolCreate(nil, nil, nil, &pool) == kCVReturnInvalidPixelBufferAttributes)
        }

        @Test("a pool gives back what it was made with")
        func attributes() throws {
            let own = [kCVPixelBufferPoolMinimumBufferCountKey: 3] as CFDictionary
            let pool = try pool(own)
            #expect(CVPixelBufferPoolGetAttributes(pool) == own)
            #expect(CVPixelBufferPoolGetPixelBufferAttributes(pool)?.count == 3)
            #expect(CFGetTypeID(pool) == CVPixelBufferPoolGetTypeID())
            CVPixelBufferPoolFlush(pool, .excessBuffers)
            CVPixelBufferPoolFlush(pool, [])
        }

        @Test("random takes, releases and flushes never give out memory that is held")
        func model() throws {
            var generator = SeededGenerator()
            let pool = try pool()
            var held: [CVPixelBuffer] = []
            for step in 0..<3000 {
                switch Int.random(in: 0..<10, using: &generator) {
                case 0..<5:
                    let threshold = Bool.random(using: &generator) ? 8 : nil
                    let (status, taken) = buffer(pool, threshold: threshold)
                    guard let taken else {
                        #expect(status == kCVReturnWouldExceedAllocationThreshold && held.count >= 8)
                        continue
                    }
                    let base = try #require(CVPixelBufferGetBaseAddress(taken))
                    #expect(!held.contains { CVPixelBufferGetBaseAddress($0) == base })
                    base.storeBytes(of: step, as: Int.self)
                    held.append(taken)
                case 5..<9 where !held.isEmpty: held.remove(at: Int.random(in: 0..<held.count, using: &generator))
                default: CVPixelBufferPoolFlush(pool, .excessBuffers)
                }
            }
        }
    }
#endif

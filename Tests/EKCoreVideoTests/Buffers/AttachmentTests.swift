// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreVideo
    import Foundation
    import ParameterSets
    import TestSupport
    import Testing

    @Suite struct AttachmentTests {
        private func buffer() throws -> CVPixelBuffer {
            var buffer: CVPixelBuffer?
            CVPixelBufferCreate(nil, 16, 16, kCVPixelFormatType_32BGRA, nil, &buffer)
            return try #require(buffer)
        }

        /// `===` within `#expect` crashes the compiler of Swift 6.3.1 where the sides are of two classes.
        private func isSame(_ one: AnyObject?, _ other: AnyObject?) -> Bool { one === other }

        @Test("what is attached is the object itself until it is taken away")
        func identity() throws {
            let (buffer, value, key) = (try buffer(), NSObject(), NSString(string: "key"))
            CVBufferSetAttachment(buffer, key, value, .shouldPropagate)
            var mode = CVAttachmentMode.shouldNotPropagate
            let found = CVBufferGetAttachment(buffer, NSString(string: "k" + "ey"), &mode)
            #expect(isSame(found?.takeUnretainedValue(), value))
            #expect(mode == .shouldPropagate)
            #expect(isSame(CVBufferCopyAttachment(buffer, key, nil), value))
            CVBufferRemoveAttachment(buffer, key)
            #expect(CVBufferGetAttachment(buffer, key, &mode) == nil)
            #expect(!CVBufferHasAttachment(buffer, key))
        }

        @Test("only what propagates goes over to another buffer")
        func propagation() throws {
            let (from, to) = (try buffer(), try buffer())
            CVBufferSetAttachments(from, ["a": 1, "b": 2] as CFDictionary, .shouldPropagate)
            CVBufferSetAttachment(from, "c" as CFString, 3 as CFTypeRef, .shouldNotPropagate)
            CVBufferSetAttachment(to, "a" as CFString, 9 as CFTypeRef, .shouldNotPropagate)
            CVBufferPropagateAttachments(from, to)
            #expect(CVBufferCopyAttachments(to, .shouldPropagate) == ["a": 1, "b": 2] as CFDictionary)
            #expect(CVBufferGetAttachments(to, .shouldNotPropagate) == nil)
            CVBufferRemoveAllAttachments(to)
            #expect(CVBufferCopyAttachments(to, .shouldPropagate) == nil)
        }

        @Test("random attachments agree with a dictionary")
        func model() throws {
            var generator = SeededGenerator()
            let buffer = try buffer()
            var model: [String: (NSObject, CVAttachmentMode)] = [:]
            for _ in 0..<2000 {
                let key = "k\(Int.random(in: 0..<12, using: &generator))"
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: CVBufferRemoveAttachment(buffer, key as CFString); model[key] = nil
                case 1 where Int.random(in: 0..<20, using: &generator) == 0:
                    CVBufferRemoveAllAttachments(buffer)
                    model = [:]
                default:
                    let mode: CVAttachmentMode = Bool.random(using: &generator) ? .shouldPropagate : .shouldNotPropagate
                    let value = NSObject()
                    CVBufferSetAttachment(buffer, key as CFString, value, mode)
                    model[key] = (value, mode)
                }
                for (key, expected) in model {
                    var mode = CVAttachmentMode.shouldPropagate
                    #expect(isSame(CVBufferCopyAttachment(buffer, key as CFString, &mode), expected.0))
                    #expect(mode == expected.1)
                }
                let count = [CVAttachmentMode.shouldPropagate, .shouldNotPropagate]
                    .compactMap { CVBufferCopyAttachments(buffer, $0)?.count }.reduce(0, +)
                #expect(count == model.count)
            }
        }

        @Test("names of colors become codes of H.273")
        func colors() throws {
            let buffer = try buffer()
            #expect(buffer.color == nil)
            CVBufferSetAttachment(
                buffer, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_2020, .shouldPropagate)
            #expect(buffer.color == ColorDescription(primaries: 9, transfer: 2, matrix: 2))
            CVBufferSetAttachment(
                buffer, kCVImageBufferTransferFunctionKey, kCVImageBufferTransferFunction_ITU_R_2100_HLG,
                .shouldPropagate)
            CVBufferSetAttachment(
                buffer, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_2020, .shouldPropagate)
            #expect(buffer.color == ColorDescription(primaries: 9, transfer: 18, matrix: 9))
            CVBufferSetAttachment(buffer, kCVImageBufferYCbCrMatrixKey, 5 as CFTypeRef, .shouldPropagate)
            #expect(buffer.color?.matrix == 2)
            for names in [ColorNames.primaries, .transfer, .matrix] {
                for name in names.names { #expect(names.code(name).flatMap { names.name($0) } == name) }
            }
        }
    }
#endif

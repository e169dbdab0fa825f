// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EKVideoToolbox
    import Foundation
    import Testing

    /// What sessions and pools keep of a client's objects, and give to others.
    @Suite struct KeptObjectTests {
        @Test(
            "attributes are those at the call that made a pool or session, whatever the client writes into them later")
        func attributes() throws {
            let attributes = NSMutableDictionary()
            attributes.setObject(176 as NSNumber, forKey: kCVPixelBufferWidthKey)
            attributes.setObject(144 as NSNumber, forKey: kCVPixelBufferHeightKey)
            let planar = kCVPixelFormatType_420YpCbCr8Planar
            attributes.setObject(NSNumber(value: planar), forKey: kCVPixelBufferPixelFormatTypeKey)
            let counts = NSMutableDictionary(object: 3 as NSNumber, forKey: kCVPixelBufferPoolMinimumBufferCountKey)
            var made: CVPixelBufferPool?
            CVPixelBufferPoolCreate(nil, counts, attributes, &made)
            let encoding = try Encoding(attributes: attributes)
            attributes.setObject(99 as NSNumber, forKey: kCVPixelBufferWidthKey)
            let other = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
            attributes.setObject(NSNumber(value: other), forKey: kCVPixelBufferPixelFormatTypeKey)
            counts.setObject(9 as NSNumber, forKey: kCVPixelBufferPoolMinimumBufferCountKey)
            let pool = try #require(made)
            #expect(CVPixelBufferPoolGetPixelBufferAttributes(pool)?.number("\(kCVPixelBufferWidthKey)") == 176)
            #expect(CVPixelBufferPoolGetAttributes(pool)?.number("\(kCVPixelBufferPoolMinimumBufferCountKey)") == 3)
            let own = try #require(VTCompressionSessionGetPixelBufferPool(encoding.session))
            let format = CVPixelBufferPoolGetPixelBufferAttributes(own)?.number("\(kCVPixelBufferPixelFormatTypeKey)")
            #expect(format?.uint32Value == planar)
        }

        private func copy(_ session: CFTypeRef, _ key: CFString) -> (status: OSStatus, value: CFTypeRef?) {
            var value: CFTypeRef?
            let status = withUnsafeMutablePointer(to: &value) {
                VTSessionCopyProperty(session, key: key, allocator: nil, valueOut: UnsafeMutableRawPointer($0))
            }
            return (status, value)
        }

        @Test("a transfer session keeps a copy of a text, and lists and serializes each key that it takes")
        func transferKeys() throws {
            var made: VTPixelTransferSession?
            VTPixelTransferSessionCreate(allocator: nil, pixelTransferSessionOut: &made)
            let session = try #require(made)
            let text = NSMutableString(string: "ITU_R_709_2")
            let matrix = kVTPixelTransferPropertyKey_DestinationYCbCrMatrix
            #expect(VTSessionSetProperty(session, key: matrix, value: text) == noErr)
            text.setString("ITU_R_601_4")
            #expect(copy(session, matrix).value as? String == "ITU_R_709_2")
            let realTime = kVTPixelTransferPropertyKey_RealTime
            #expect(VTSessionSetProperty(session, key: realTime, value: kCFBooleanTrue) == noErr)
            var supported: CFDictionary?
            var values: CFDictionary?
            VTSessionCopySupportedPropertyDictionary(session, supportedPropertyDictionaryOut: &supported)
            VTSessionCopySerializableProperties(session, allocator: nil, dictionaryOut: &values)
            #expect(supported?.object("\(realTime)") != nil)
            #expect(values?.object("\(realTime)") as? Bool == true)
        }

        @Test("transfer and rotation sessions that were invalidated refuse every key by that, also unknown ones")
        func invalidated() throws {
            var transfer: VTPixelTransferSession?
            VTPixelTransferSessionCreate(allocator: nil, pixelTransferSessionOut: &transfer)
            var rotation: VTPixelRotationSession?
            VTPixelRotationSessionCreate(nil, &rotation)
            let sessions = (try #require(transfer), try #require(rotation))
            VTPixelTransferSessionInvalidate(sessions.0)
            VTPixelRotationSessionInvalidate(sessions.1)
            for session in [sessions.0, sessions.1] as [CFTypeRef] {
                for key in [
                    kVTPixelTransferPropertyKey_ScalingMode, kVTPixelRotationPropertyKey_Rotation, "x" as CFString,
                ] {
                    #expect(VTSessionSetProperty(session, key: key, value: 7 as NSNumber) == kVTInvalidSessionErr)
                    #expect(copy(session, key).status == kVTInvalidSessionErr)
                }
            }
        }

        @Test(
            "what one session serializes before it opens another takes whole, and serializes the same",
            arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC])
        func serialized(codec: CMVideoCodecType) throws {
            func values(_ encoding: Encoding) throws -> NSDictionary {
                var values: CFDictionary?
                let session = encoding.session
                #expect(VTSessionCopySerializableProperties(session, allocator: nil, dictionaryOut: &values) == noErr)
                return try #require(values)
            }
            let first = try Encoding(codec)
            first.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            first.set(kVTCompressionPropertyKey_ConstantBitRate, 500_000 as CFTypeRef)
            let shape = ["HorizontalSpacing": 4, "VerticalSpacing": 3]
            first.set(kVTCompressionPropertyKey_PixelAspectRatio, shape as CFDictionary)
            let given = try values(first)
            let second = try Encoding(codec)
            #expect(VTSessionSetProperties(second.session, propertyDictionary: given) == noErr)
            #expect(given.count > 15)
            #expect(try values(second).isEqual(given))
        }
    }
#endif

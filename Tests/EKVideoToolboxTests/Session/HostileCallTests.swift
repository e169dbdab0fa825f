// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EKVideoToolbox
    import Foundation
    import Synchronization
    import Testing

    /// Calls with pointers, dictionaries, times and objects that a careless client may pass.
    @Suite struct HostileCallTests {
        /// Addresses that a callback was given.
        private static let seen = Mutex<[UInt]>([])

        @Test("refcons are never looked at: memory that is released already comes back as its address")
        func releasedRefCons() throws {
            _ = TestEncoders.registered
            func released() -> UnsafeMutableRawPointer {
                let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
                memory.deallocate()
                return memory
            }
            let refCons = [released(), released(), UnsafeMutableRawPointer(bitPattern: 1)]
            var session: VTCompressionSession?
            VTCompressionSessionCreate(
                allocator: nil, width: 64, height: 64, codecType: kCMVideoCodecType_H264, encoderSpecification: nil,
                imageBufferAttributes: nil, compressedDataAllocator: nil,
                outputCallback: { refCon, frame, _, _, _ in
                    HostileCallTests.seen.withLock { $0 += [UInt(bitPattern: refCon), UInt(bitPattern: frame)] }
                }, refcon: refCons[0], compressionSessionOut: &session)
            let made = try #require(session)
            for (number, refCon) in [refCons[1], refCons[2], nil].enumerated() {
                let status = VTCompressionSessionEncodeFrame(
                    made, imageBuffer: try frame(number, 64, 64), presentationTimeStamp: time(number),
                    duration: .invalid, frameProperties: nil, sourceFrameRefcon: refCon, infoFlagsOut: nil)
                #expect(status == noErr)
            }
            #expect(VTCompressionSessionCompleteFrames(made, untilPresentationTimeStamp: .invalid) == noErr)
            let expected = [0, 1, 0, 2, 0].map { UInt(bitPattern: refCons[$0]) } + [0]
            #expect(Self.seen.withLock { $0.sorted() } == expected.sorted())
        }

        /// Times of each kind that is no ordinary number.
        private static let oddTimes: [CMTime] = [
            .invalid, .indefinite, .positiveInfinity, .negativeInfinity, .zero, CMTime(value: -5, timescale: 30),
            CMTimeMakeWithEpoch(value: 1, timescale: 30, epoch: 3), CMTime(value: 1, timescale: 0),
            CMTime(value: 1, timescale: -30), CMTime(value: .max, timescale: 1), CMTime(value: .min, timescale: .max),
        ]

        @Test("a duration that is none changes nothing, and comes back bit for bit")
        func durations() throws {
            let encoding = try Encoding(kCMVideoCodecType_H264, 64, 64)
            encoding.set(kVTCompressionPropertyKey_RealTime, kCFBooleanTrue)
            for (number, duration) in Self.oddTimes.enumerated() {
                #expect(encoding.encode(try frame(number, 64, 64), at: time(number), duration: duration) == noErr)
            }
            #expect(encoding.complete() == noErr)
            let durations = encoding.output.samples.map(\.duration)
            #expect(durations.count == Self.oddTimes.count)
            for (seen, given) in zip(durations, Self.oddTimes) {
                let isSame = seen.value == given.value && seen.timescale == given.timescale
                #expect(isSame && seen.flags == given.flags && seen.epoch == given.epoch, "\(given)")
            }
        }

        @Test("CompleteFrames takes what is not numeric for all frames, and refuses numbers that are no time")
        func completions() throws {
            let encoding = try Encoding(kCMVideoCodecType_H264, 64, 64)
            var given = 0
            for until in Self.oddTimes {
                encoding.encode(try frame(given, 64, 64), at: time(given))
                given += 1
                let isRefused = until.isNumeric && (until.epoch != 0 || until.timescale < 1)
                let status = VTCompressionSessionCompleteFrames(encoding.session, untilPresentationTimeStamp: until)
                #expect(status == (isRefused ? kVTParameterErr : noErr), "\(until)")
                if !until.isNumeric { #expect(encoding.output.all.count == given) }
            }
        }

        @Test("dictionaries with keys and values of other kinds are read for what is known in them")
        func dictionaries() throws {
            func odd() -> NSMutableDictionary {
                let values = NSMutableDictionary()
                values.setObject(NSNull(), forKey: 3 as NSNumber)
                values.setObject(NSNull(), forKey: NSArray())
                values.setObject(NSNull(), forKey: "Other" as NSString)
                return values
            }
            let specification = odd()
            let hardware = kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder
            for (key, value) in [
                (hardware, NSArray()), (kVTVideoEncoderSpecification_EncoderID, 7 as NSNumber),
                (kVTVideoEncoderSpecification_RequiredEncoderGPURegistryID, "x" as NSString),
            ] as [(CFString, NSObject)] { specification.setObject(value, forKey: key) }
            let attributes = odd()
            attributes.setObject(
                NSArray(array: [NSNull(), -1 as NSNumber, NSNumber(value: Double.nan), "420v" as NSString]),
                forKey: kCVPixelBufferPixelFormatTypeKey)
            attributes.setObject(NSNumber(value: Int64.min), forKey: kCVPixelBufferWidthKey)
            let encoding = try Encoding(
                kCMVideoCodecType_H264, 64, 64, specification: specification, attributes: attributes)
            #expect(encoding.encode(try frame(0, 64, 64), at: time(0), properties: odd()) == noErr)
            #expect(encoding.complete() == noErr && encoding.output.samples.count == 1)
        }

        @Test("passes are refused by their status, and the session goes on")
        func passes() throws {
            let encoding = try Encoding(kCMVideoCodecType_H264, 64, 64)
            var storage: VTMultiPassStorage?
            let range = CMTimeRange(start: .zero, duration: time(30))
            let made = VTMultiPassStorageCreate(
                allocator: nil, fileURL: nil, timeRange: range, options: nil, multiPassStorageOut: &storage)
            #expect(made == kVTPropertyNotSupportedErr && storage == nil)
            encoding.set(
                kVTCompressionPropertyKey_MultiPassStorage, NSObject(), kVTPropertyNotSupportedErr)
            #expect(VTCompressionSessionBeginPass(encoding.session, flags: [], nil) == kVTPropertyNotSupportedErr)
            #expect(encoding.encode(try frame(0, 64, 64), at: time(0)) == noErr)
            var isAsked = true
            let ended = VTCompressionSessionEndPass(encoding.session, furtherPassesRequestedOut: &isAsked, nil)
            #expect(ended == kVTPropertyNotSupportedErr && !isAsked)
            var (count, ranges) = (7, UnsafePointer<CMTimeRange>?.none)
            let told = VTCompressionSessionGetTimeRangesForNextPass(
                encoding.session, timeRangeCountOut: &count, timeRangeArrayOut: &ranges)
            #expect(told == kVTPropertyNotSupportedErr && count == 0 && ranges == nil)
            #expect(encoding.complete() == noErr && encoding.output.samples.count == 1)
        }

        @Test("objects that are no sessions are refused by each call that takes any object")
        func otherSessions() {
            for object in [NSObject(), NSNull(), "session" as NSString, NSDictionary()] as [CFTypeRef] {
                var dictionary: CFDictionary?
                var value: CFTypeRef?
                #expect(
                    VTSessionSetProperties(object, propertyDictionary: NSDictionary()) == kVTInvalidSessionErr)
                #expect(
                    VTSessionSetProperties(object, propertyDictionary: ["RealTime": true] as CFDictionary)
                        == kVTInvalidSessionErr)
                #expect(
                    VTSessionCopySupportedPropertyDictionary(object, supportedPropertyDictionaryOut: &dictionary)
                        == kVTInvalidSessionErr)
                #expect(
                    VTSessionCopySerializableProperties(object, allocator: nil, dictionaryOut: &dictionary)
                        == kVTInvalidSessionErr)
                let status = withUnsafeMutablePointer(to: &value) {
                    VTSessionCopyProperty(
                        object, key: kVTCompressionPropertyKey_RealTime, allocator: nil,
                        valueOut: UnsafeMutableRawPointer($0))
                }
                #expect(status == kVTInvalidSessionErr && value == nil && dictionary == nil)
            }
        }
    }
#endif

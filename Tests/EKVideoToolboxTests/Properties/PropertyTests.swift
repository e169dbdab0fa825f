// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EKVideoToolbox
    import Foundation
    import TestSupport
    import Testing

    @Suite struct PropertyTests {
        /// `===` within `#expect` crashes the compiler of Swift 6.3.1 where the sides are of two classes.
        private func isSame(_ one: AnyObject?, _ other: AnyObject?) -> Bool { one === other }

        /// A key with values that are taken and values that are none of its.
        struct Row: Sendable, CustomTestStringConvertible {
            let key: String
            let legal: @Sendable () -> [CFTypeRef]
            let illegal: @Sendable () -> [CFTypeRef]
            var testDescription: String { key }
        }

        private static let texts: @Sendable () -> [CFTypeRef] = {
            ["High" as NSString, 3 as NSNumber, NSArray(), NSObject()]
        }
        private static let notNumbers: @Sendable () -> [CFTypeRef] = {
            [
                "1" as NSString, kCFBooleanTrue, NSArray(), NSDictionary(), NSNumber(value: Double.nan),
                NSNumber(value: Double.infinity), NSNumber(value: -Double.infinity), NSObject(), NSNumber(value: 1e300),
                NSNumber(value: Int64.min),
            ]
        }
        private static let notFlags: @Sendable () -> [CFTypeRef] = {
            [
                "true" as NSString, 2 as NSNumber, -1 as NSNumber, 0.5 as NSNumber, NSArray(),
                NSNumber(value: Double.nan),
            ]
        }

        private static func numbers(_ key: String, _ legal: [Double], _ illegal: [Double]) -> Row {
            Row(
                key: key, legal: { legal.flatMap { [NSNumber(value: $0), NSNumber(value: Float($0))] } },
                illegal: { illegal.map { NSNumber(value: $0) } + notNumbers() })
        }

        private static func flags(_ key: String) -> Row {
            Row(
                key: key, legal: { [kCFBooleanTrue, kCFBooleanFalse, 0 as NSNumber, 1 as NSNumber, 1.0 as NSNumber] },
                illegal: notFlags)
        }

        private static func names(_ key: String, _ legal: [String], _ illegal: [String]) -> Row {
            Row(
                key: key, legal: { legal.map { $0 as NSString } },
                illegal: { illegal.map { $0 as NSString } + texts() })
        }

        static let rows: [Row] = [
            numbers("AverageBitRate", [0, 1000, 2_000_000, 1_000_000_000], [1, 999, -1, 1_000_000_001]),
            numbers("ConstantBitRate", [0, 1000, 10_000, 2_000_000, 1_000_000_000], [1, 999, -1, 1_000_000_001]),
            numbers("VariableBitRate", [0, 1000, 2_000_000, 1_000_000_000], [1, 999, -1, 1_000_000_001]),
            numbers("VBVMaxBitRate", [1000, 2_000_000, 1_000_000_000], [0, 999, -1, 1_000_000_001]),
            numbers("VBVBufferDuration", [0.25, 2.5, 3600], [0, -1, 3601]),
            numbers("VBVInitialDelayPercentage", [0, 90, 100], [-1, 101]),
            numbers("Quality", [0, 0.25, 1], [-0.01, 1.01]),
            numbers("MaxKeyFrameInterval", [0, 1, 1_073_741_824], [-1, 1.5]),
            numbers("MaxKeyFrameIntervalDuration", [0, 0.5, 86_400], [-1, 0.0001, 86_401]),
            numbers("ExpectedFrameRate", [0, 30, 1000], [-1, 0.001, 1001]),
            numbers("MaxFrameDelayCount", [-1, 0, 3], [-2, 0.5]), numbers("SourceFrameCount", [0, 1], [-1, 1.5]),
            numbers("MinAllowedFrameQP", [1, 20], [-1, 70]), numbers("MaxAllowedFrameQP", [20, 51], [-1, 70]),
            numbers("ExpectedDuration", [0, 3], [-1]), numbers("MaximumRealTimeFrameRate", [0, 60], [-1, 1001]),
            flags("RealTime"), flags("AllowFrameReordering"), flags("AllowTemporalCompression"), flags("AllowOpenGOP"),
            flags("MaximizePowerEfficiency"), flags("PrioritizeEncodingSpeedOverQuality"),
            names("H264EntropyMode", ["CAVLC", "CABAC"], ["cabac", ""]),
            names(
                "ProfileLevel", ["H264_Baseline_AutoLevel", "H264_Main_4_1", "H264_High_AutoLevel"],
                ["H264_Extended_5_0", "HEVC_Main_AutoLevel", "H264_High", "H264_High_9_9"]),
            names("ColorPrimaries", ["ITU_R_709_2", "ITU_R_2020"], ["709", ""]),
            names("TransferFunction", ["ITU_R_2100_HLG", "IEC_sRGB"], ["UseGamma"]),
            names("YCbCrMatrix", ["ITU_R_601_4"], ["ITU_R_601"]),
            names("HDRMetadataInsertionMode", ["Auto", "None"], ["RequestSDRRangePreservation"]),
            Row(
                key: "DataRateLimits",
                legal: {
                    [[] as NSArray, [250_000, 1] as NSArray, [1_000_000.0, 2.5, 90_000, 0.25] as NSArray]
                },
                illegal: {
                    [
                        [1] as NSArray, [1, 1, 1, 1, 1, 1] as NSArray, [0, 1] as NSArray, [1000, 0] as NSArray,
                        [1000, -1] as NSArray, ["1000", 1] as NSArray, [1000, true] as NSArray, 5 as NSNumber,
                        [Double.nan, 1] as NSArray, [10, 1] as NSArray,
                    ]
                }),
            Row(
                key: "PixelAspectRatio",
                legal: { [["HorizontalSpacing": 4, "VerticalSpacing": 3] as NSDictionary] },
                illegal: {
                    [
                        NSDictionary(), ["HorizontalSpacing": 4] as NSDictionary, 3 as NSNumber,
                        ["HorizontalSpacing": 0, "VerticalSpacing": 3] as NSDictionary,
                        ["HorizontalSpacing": 4.5, "VerticalSpacing": 3] as NSDictionary,
                        ["HorizontalSpacing": 65536, "VerticalSpacing": 3] as NSDictionary,
                    ]
                }),
            Row(
                key: "PixelTransferProperties",
                legal: {
                    [
                        NSDictionary(), ["ScalingMode": "Trim"] as NSDictionary,
                        ["ScalingMode": "Letterbox", "RealTime": true] as NSDictionary,
                    ]
                },
                illegal: {
                    [
                        ["ScalingMode": "Crop"] as NSDictionary, ["ScalingMode": 3] as NSDictionary, "Trim" as NSString,
                        ["DestinationColorPrimaries": "ITU_R_709_2"] as NSDictionary, ["Unknown": 1] as NSDictionary,
                        ["ScalingMode": "Trim", "DestinationPixelAspectRatio": NSDictionary()] as NSDictionary,
                    ]
                }),
        ]

        @Test("each key takes its values, refuses others, and nil restores the default", arguments: rows)
        func values(row: Row) throws {
            let encoding = try Encoding()
            let key = row.key as NSString
            func value() -> CFTypeRef? {
                let (status, value) = encoding.copy(key)
                #expect(status == noErr)
                return value
            }
            let otherwise = value()
            for legal in row.legal() {
                encoding.set(key, legal)
                let kept = value()
                for illegal in row.illegal() {
                    encoding.set(key, illegal, kVTParameterErr)
                    #expect(CFEqual(value(), kept), "\(illegal)")
                }
            }
            encoding.set(key, nil)
            #expect(CFEqual(value(), otherwise))
            encoding.set(key, NSNull())
            #expect(CFEqual(value(), otherwise))
        }

        @Test("keys that are not offered, not known and not to be set have statuses of their own")
        func statuses() throws {
            let encoding = try Encoding()
            let refused = [
                "FieldCount", "AspectRatio16x9", "MultiPassStorage", "Unknown",
                "",
                "ReferenceBufferCount", "ICCProfile", "averagebitrate",
            ]
            for key in refused {
                encoding.set(key as NSString, 1 as CFTypeRef, kVTPropertyNotSupportedErr)
                let (status, value) = encoding.copy(key as NSString)
                #expect(status == kVTPropertyNotSupportedErr && value == nil)
            }
            for key in ["NumberOfPendingFrames", "EncoderID", "UsingHardwareAcceleratedVideoEncoder"] {
                encoding.set(key as NSString, 1 as CFTypeRef, kVTPropertyReadOnlyErr)
            }
            let other = VTSessionSetProperty(NSObject(), key: "RealTime" as CFString, value: kCFBooleanTrue)
            #expect(other == kVTInvalidSessionErr)
            let hevc = try Encoding(kCMVideoCodecType_HEVC)
            hevc.set(kVTCompressionPropertyKey_H264EntropyMode, kVTH264EntropyMode_CABAC, kVTPropertyNotSupportedErr)
        }

        @Test("of the bit rates the one that was set last counts, and what describes a buffer stays")
        func bitRates() throws {
            let encoding = try Encoding()
            let keys = ["AverageBitRate", "ConstantBitRate", "VariableBitRate"]
            encoding.set(kVTCompressionPropertyKey_VBVBufferDuration, 0.5 as CFTypeRef)
            for key in keys {
                encoding.set(key as NSString, 500_000 as CFTypeRef)
                for other in keys {
                    let value = (encoding.copy(other as NSString).value as? NSNumber)?.intValue
                    #expect(value == (other == key ? 500_000 : 0), "\(other) after \(key)")
                }
            }
            encoding.set(kVTCompressionPropertyKey_AverageBitRate, nil)
            #expect((encoding.copy(kVTCompressionPropertyKey_VariableBitRate).value as? NSNumber)?.intValue == 500_000)
            #expect((encoding.copy(kVTCompressionPropertyKey_VBVBufferDuration).value as? NSNumber)?.doubleValue == 0.5)
        }

        @Test("SetProperties tries all keys and returns the first error")
        func dictionaries() throws {
            let encoding = try Encoding()
            let properties: [CFString: Any] = [
                "AverageBitRate": 500_000, "ExpectedFrameRate": "x", "RealTime": true, "Unknown": 1,
            ]
            let status = VTSessionSetProperties(encoding.session, propertyDictionary: properties as CFDictionary)
            #expect(status == kVTParameterErr)
            #expect(isSame(encoding.copy(kVTCompressionPropertyKey_RealTime).value, kCFBooleanTrue))
            #expect(
                VTSessionSetProperties(encoding.session, propertyDictionary: [3: 4] as CFDictionary) == kVTParameterErr)
            let good = ["AverageBitRate": 400_000, "ScalingMode": 1] as CFDictionary
            #expect(VTSessionSetProperties(encoding.session, propertyDictionary: good) == kVTPropertyNotSupportedErr)
        }

        @Test("a value that is copied belongs to the caller")
        func ownership() throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_DataRateLimits, [250_000, 1] as CFTypeRef)
            weak var weakly: AnyObject?
            do {
                let value = encoding.copy(kVTCompressionPropertyKey_DataRateLimits).value
                weakly = value
                for _ in 0..<100 {
                    let other = encoding.copy(kVTCompressionPropertyKey_DataRateLimits).value
                    #expect((other as? NSArray)?.count == 2)
                }
                #expect(weakly != nil)
            }
            #expect(weakly == nil)
            let status = VTSessionCopyProperty(
                encoding.session, key: kVTCompressionPropertyKey_RealTime, allocator: nil, valueOut: nil)
            #expect(status == kVTParameterErr)
        }

        @Test("a copied value stays when the session lets go of it, until the caller does")
        func retained() throws {
            let encoding = try Encoding()
            var address: UnsafeMutableRawPointer?
            weak var weakly: NSNumber?
            do {
                // Hints are given back as the objects that were set.
                let value = NSNumber(value: 3.25)
                weakly = value
                encoding.set(kVTCompressionPropertyKey_ExpectedDuration, value)
                let status = VTSessionCopyProperty(
                    encoding.session, key: kVTCompressionPropertyKey_ExpectedDuration, allocator: nil,
                    valueOut: &address)
                #expect(status == noErr && address == Unmanaged.passUnretained(value).toOpaque())
                encoding.set(kVTCompressionPropertyKey_ExpectedDuration, nil)
            }
            // Nobody but the caller has it now.
            #expect(weakly != nil)
            guard weakly != nil, let address else { return }
            Unmanaged<AnyObject>.fromOpaque(address).release()
            #expect(weakly == nil)
        }

        @Test("a text that changes after it was set does not change what was set")
        func mutableText() throws {
            let encoding = try Encoding()
            let value = NSMutableString(string: "None")
            encoding.set(kVTCompressionPropertyKey_HDRMetadataInsertionMode, value)
            value.setString("anything")
            #expect(encoding.copy(kVTCompressionPropertyKey_HDRMetadataInsertionMode).value as? String == "None")
        }

        @Test("supported keys are told with their kinds, and each of them can be copied")
        func supported() throws {
            let encoding = try Encoding()
            var dictionary: CFDictionary?
            #expect(
                VTSessionCopySupportedPropertyDictionary(
                    encoding.session, supportedPropertyDictionaryOut: &dictionary) == noErr)
            let supported = try #require(dictionary)
            let key = NSString(string: "Profile" + "Level")
            let address = UnsafeRawPointer(Unmanaged.passUnretained(key).toOpaque())
            #expect(CFDictionaryContainsKey(supported, address))
            let facts = unsafeBitCast(CFDictionaryGetValue(supported, address), to: CFDictionary.self)
            #expect(facts[kVTPropertyTypeKey] as? String == "Enumeration")
            let list = facts[kVTPropertySupportedValueListKey] as? [String]
            #expect(list?.contains("H264_High_AutoLevel") == true && list?.contains("HEVC_Main_AutoLevel") == false)
            for name in supported.allKeys.compactMap({ $0 as? String }) {
                #expect(encoding.copy(name as NSString).status == noErr, "\(name)")
            }
            for row in Self.rows { #expect(supported[row.key] != nil, "\(row.key)") }
        }

        @Test("numbers have the range that they are refused by, but for the 0 that asks for nothing")
        func ranges() throws {
            let encoding = try Encoding()
            var dictionary: CFDictionary?
            VTSessionCopySupportedPropertyDictionary(encoding.session, supportedPropertyDictionaryOut: &dictionary)
            for (key, least, most) in [("AverageBitRate", 1000, 1_000_000_000), ("MinAllowedFrameQP", 0, 51)] {
                let facts = dictionary?[key as NSString] as? NSDictionary
                #expect((facts?[kVTPropertySupportedValueMinimumKey] as? NSNumber)?.intValue == least, "\(key)")
                #expect((facts?[kVTPropertySupportedValueMaximumKey] as? NSNumber)?.intValue == most, "\(key)")
            }
        }

        @Test("what is copied to be kept is taken back by another session")
        func serializable() throws {
            let (one, other) = (try Encoding(), try Encoding())
            one.set(kVTCompressionPropertyKey_AverageBitRate, 700_000 as CFTypeRef)
            one.set(kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_H264_Main_3_1)
            var kept: CFDictionary?
            #expect(VTSessionCopySerializableProperties(one.session, allocator: nil, dictionaryOut: &kept) == noErr)
            #expect(VTSessionSetProperties(other.session, propertyDictionary: try #require(kept)) == noErr)
            var again: CFDictionary?
            VTSessionCopySerializableProperties(other.session, allocator: nil, dictionaryOut: &again)
            #expect(again == kept)
        }

        @Test("encoders are listed with identities that select them")
        func encoders() throws {
            _ = TestEncoders.registered
            var list: CFArray?
            #expect(VTCopyVideoEncoderList(nil, &list) == noErr)
            let ids = (list as? [NSDictionary])?.compactMap { $0[kVTVideoEncoderList_EncoderID] as? String } ?? []
            #expect(ids.contains("x264.h264") && ids.contains("x265.hevc"))
            let chosen = [kVTVideoEncoderSpecification_EncoderID: "x264.h264"] as CFDictionary
            let encoding = try Encoding(specification: chosen)
            #expect(encoding.copy(kVTCompressionPropertyKey_EncoderID).value as? String == "x264.h264")
            let rows: [([CFString: Any], CMVideoCodecType, Int32, OSStatus)] = [
                (
                    [kVTVideoEncoderSpecification_EncoderID: "com.apple.videotoolbox.videoencoder.ave.avc"],
                    kCMVideoCodecType_H264, 64, kVTCouldNotFindVideoEncoderErr
                ),
                (
                    [kVTVideoEncoderSpecification_EncoderID: "x264.h264"], kCMVideoCodecType_HEVC, 64,
                    kVTCouldNotFindVideoEncoderErr
                ),
                (
                    [kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder: true],
                    kCMVideoCodecType_H264, 64, kVTCouldNotFindVideoEncoderErr
                ),
                ([:], kCMVideoCodecType_JPEG, 64, kVTCouldNotFindVideoEncoderErr),
                ([:], 0, 64, kVTCouldNotFindVideoEncoderErr), ([:], kCMVideoCodecType_H264, 0, kVTParameterErr),
                ([:], kCMVideoCodecType_H264, -64, kVTParameterErr),
                ([:], kCMVideoCodecType_H264, 65536, kVTParameterErr),
                (
                    [kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder: false],
                    kCMVideoCodecType_H264, 64, noErr
                ),
            ]
            for (specification, codec, width, expected) in rows {
                var session: VTCompressionSession?
                let status = VTCompressionSessionCreate(
                    allocator: nil, width: width, height: 64, codecType: codec,
                    encoderSpecification: specification as CFDictionary, imageBufferAttributes: nil,
                    compressedDataAllocator: nil, outputCallback: nil, refcon: nil, compressionSessionOut: &session)
                #expect(status == expected, "\(specification)")
                #expect((session != nil) == (expected == noErr))
            }
        }
    }
#endif

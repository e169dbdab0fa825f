// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import Foundation
    import TestSupport
    import Testing

    @Suite struct CMFormatDescriptionTests {
        // x264 --quiet -o q.264 q.y4m (176x144, 30 frames per second)
        private static let h264: [[UInt8]] = [
            Hex.bytes("67 64 00 0B AC D9 42 C4 E8 40 00 00 03 00 40 00 00 0F 23 C5 0A 65 80"),
            Hex.bytes("68 EB E3 CB 22 C0"),
        ]
        // x265, 168x132; the command is at HEVCVectors.main of ParameterSetsTests.
        private static let hevc: [[UInt8]] = [
            Hex.bytes("40010c01ffff01600000030090000003000003003c959809"),
            Hex.bytes(
                "42010101600000030090000003000003003ca01520227de5959a49395e1cd40404041000003e900007530601cd66e000f42400"
                    + "1e8488"), Hex.bytes("4401c172b46240"),
        ]

        /// Makes a description of sets by C's function.
        private func make(
            _ sets: [[UInt8]], hevc: Bool = false, lengthSize: Int32 = 4, count: Int? = nil, sizes: [Int]? = nil
        ) -> (OSStatus, CMFormatDescription?) {
            let copies = sets.map { set in
                let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(set.count, 1))
                copy.initialize(from: set, count: set.count)
                return copy
            }
            defer { copies.forEach { $0.deallocate() } }
            let pointers = copies.map { UnsafePointer($0) }
            let sizes = sizes ?? sets.map(\.count)
            var description: CMFormatDescription?
            let status =
                hevc
                ? CMVideoFormatDescriptionCreateFromHEVCParameterSets(
                    allocator: nil, parameterSetCount: count ?? sets.count, parameterSetPointers: pointers,
                    parameterSetSizes: sizes, nalUnitHeaderLength: lengthSize, extensions: nil,
                    formatDescriptionOut: &description)
                : CMVideoFormatDescriptionCreateFromH264ParameterSets(
                    allocator: nil, parameterSetCount: count ?? sets.count, parameterSetPointers: pointers,
                    parameterSetSizes: sizes, nalUnitHeaderLength: lengthSize, formatDescriptionOut: &description)
            return (status, description)
        }

        /// Reads all sets by C's function.
        private func sets(_ description: CMFormatDescription, hevc: Bool = false) -> [[UInt8]] {
            var (count, sets) = (0, [[UInt8]]())
            let get =
                hevc
                ? CMVideoFormatDescriptionGetHEVCParameterSetAtIndex
                : CMVideoFormatDescriptionGetH264ParameterSetAtIndex
            #expect(get(description, -7, nil, nil, &count, nil) == noErr)
            for index in 0..<count {
                var (pointer, size) = (UnsafePointer<UInt8>?.none, 0)
                #expect(get(description, index, &pointer, &size, nil, nil) == noErr)
                sets.append([UInt8](UnsafeBufferPointer(start: pointer, count: size)))
            }
            return sets
        }

        @Test("sets come back as they were given, with size, codec and record", arguments: [false, true])
        func roundTrip(hevc: Bool) throws {
            let given = hevc ? Self.hevc : Self.h264
            let description = try #require(make(given, hevc: hevc, lengthSize: 2).1)
            #expect(sets(description, hevc: hevc) == given)
            #expect(description.parameterSets.map { [UInt8]($0) } == given)
            #expect(description.nalUnitHeaderLength == 2)
            #expect(description.mediaType == .video && description.mediaSubType == (hevc ? .hevc : .h264))
            let size = CMVideoFormatDescriptionGetDimensions(description)
            #expect(size.width == (hevc ? 168 : 176) && size.height == (hevc ? 132 : 144))
            let atoms = description.extensions[.sampleDescriptionExtensionAtoms] as? NSDictionary
            #expect((atoms?[hevc ? "hvcC" : "avcC"] as? NSData)?.length ?? 0 > 20)
        }

        @Test("a description of an avcC or hvcC alone knows its sets", arguments: [false, true])
        func atoms(hevc: Bool) throws {
            let given = hevc ? Self.hevc : Self.h264
            let original = try #require(make(given, hevc: hevc).1)
            var description: CMFormatDescription?
            let status = CMVideoFormatDescriptionCreate(
                allocator: nil, codecType: hevc ? kCMVideoCodecType_HEVC : kCMVideoCodecType_H264,
                width: original.dimensions.width, height: original.dimensions.height,
                extensions: CMFormatDescriptionGetExtensions(original), formatDescriptionOut: &description)
            #expect(status == noErr)
            let made = try #require(description)
            #expect(sets(made, hevc: hevc) == given)
            #expect(CMFormatDescriptionEqual(made, otherFormatDescription: original))
            #expect(made.hashValue == original.hashValue)
        }

        @Test("equality is by content")
        func equality() throws {
            let (one, same) = (try #require(make(Self.h264).1), try #require(make(Self.h264).1))
            #expect(one == same && CMFormatDescriptionEqual(one, otherFormatDescription: same))
            #expect(try #require(make(Self.h264, lengthSize: 2).1) != one)
            #expect(try #require(make(Self.hevc, hevc: true).1) != one)
            #expect(!CMFormatDescriptionEqual(one, otherFormatDescription: nil))
            #expect(CMFormatDescriptionEqual(nil, otherFormatDescription: nil))
        }

        @Test("sets that are incomplete, empty or of another length are refused")
        func refusals() {
            let refused = kCMFormatDescriptionBridgeError_InvalidParameter
            #expect(make([]) == (refused, nil))
            #expect(make([Self.h264[0]]) == (refused, nil))
            #expect(make([Self.h264[1]]) == (refused, nil))
            #expect(make(Self.h264, sizes: [Self.h264[0].count, 0]) == (refused, nil))
            #expect(make(Self.h264, sizes: [Self.h264[0].count, -1]) == (refused, nil))
            #expect(make(Self.h264, count: -1) == (refused, nil))
            #expect(make(Self.hevc) == (refused, nil))
            #expect(make(Self.h264, hevc: true) == (refused, nil))
            for size: Int32 in [0, 3, 5, -4] { #expect(make(Self.h264, lengthSize: size) == (refused, nil)) }
        }

        @Test("an SPS that is cut at any byte is refused or read, and never read beyond")
        func truncation() {
            for length in 1..<Self.h264[0].count {
                let (status, description) = make([Array(Self.h264[0][..<length]), Self.h264[1]])
                #expect((status == noErr) == (description != nil))
                if let description { #expect(sets(description)[0].count == length) }
            }
        }

        @Test("another index, another codec and no sets have statuses of their own")
        func reading() throws {
            let description = try #require(make(Self.h264).1)
            var (pointer, size, count) = (UnsafePointer<UInt8>?.none, 7, 0)
            for index in [-1, 2, Int.max] {
                let status = CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
                    description, parameterSetIndex: index, parameterSetPointerOut: &pointer, parameterSetSizeOut: &size,
                    parameterSetCountOut: &count, nalUnitHeaderLengthOut: nil)
                #expect(status == kCMFormatDescriptionBridgeError_InvalidParameter)
                #expect((size, count) == (7, 2) && pointer == nil)
            }
            #expect(
                CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
                    description, parameterSetIndex: 0, parameterSetPointerOut: nil, parameterSetSizeOut: nil,
                    parameterSetCountOut: &count, nalUnitHeaderLengthOut: nil)
                    == kCMFormatDescriptionBridgeError_InvalidParameter)
            var bare: CMFormatDescription?
            CMVideoFormatDescriptionCreate(
                allocator: nil, codecType: kCMVideoCodecType_H264, width: 16, height: 16, extensions: nil,
                formatDescriptionOut: &bare)
            #expect(
                CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
                    try #require(bare), parameterSetIndex: 0, parameterSetPointerOut: nil, parameterSetSizeOut: nil,
                    parameterSetCountOut: &count, nalUnitHeaderLengthOut: nil)
                    == kCMFormatDescriptionError_ValueNotAvailable)
            #expect(
                CMVideoFormatDescriptionCreate(
                    allocator: nil, codecType: kCMVideoCodecType_H264, width: -1, height: 16, extensions: nil,
                    formatDescriptionOut: &bare) == kCMFormatDescriptionError_InvalidParameter)
        }

        @Test("sizes to show follow from the shape of samples and the clean aperture")
        func presentation() throws {
            let extensions =
                [
                    kCMFormatDescriptionExtension_PixelAspectRatio: ["HorizontalSpacing": 4, "VerticalSpacing": 3],
                    kCMFormatDescriptionExtension_CleanAperture: [
                        "Width": 600, "Height": 400, "HorizontalOffset": 5, "VerticalOffset": -10,
                    ],
                ] as CFDictionary
            var description: CMFormatDescription?
            CMVideoFormatDescriptionCreate(
                allocator: nil, codecType: kCMVideoCodecType_H264, width: 640, height: 480, extensions: extensions,
                formatDescriptionOut: &description)
            let made = try #require(description)
            let aperture = CMVideoFormatDescriptionGetCleanAperture(made, originIsAtTopLeft: true)
            #expect(aperture == CGRect(x: 25, y: 30, width: 600, height: 400))
            let shown = CMVideoFormatDescriptionGetPresentationDimensions(
                made, usePixelAspectRatio: true, useCleanAperture: true)
            #expect(shown == CGSize(width: 800, height: 400))
        }
    }
#endif

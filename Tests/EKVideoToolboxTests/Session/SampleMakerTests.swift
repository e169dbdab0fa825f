// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreMedia
    @testable import EKVideoToolbox
    import EncoderAPI
    import Logging
    import MediaFiles
    import Synchronization
    import Testing
    import X264Backend

    @Suite struct SampleMakerTests {
        @Test(
            "a description of pictures of an odd size tells the size that decoders show, as one made of its sets does",
            arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC])
        func oddSize(codec: CMVideoCodecType) throws {
            let encoding = try Encoding(codec, 177, 145)
            #expect(encoding.encode(try frame(0, 177, 145), at: time(0)) == noErr)
            #expect(encoding.complete() == noErr)
            let sample = try #require(encoding.output.samples.first)
            let description = try #require(sample.formatDescription)
            let shown = try #require(try decode([sample], codec == kCMVideoCodecType_H264 ? .h264 : .hevc).first)
            let size = CMVideoFormatDescriptionGetDimensions(description)
            #expect((Int(size.width), Int(size.height)) == (shown.picture.width, shown.picture.height))
            var made: CMFormatDescription?
            CMVideoFormatDescriptionCreate(
                allocator: nil, codecType: codec, width: size.width, height: size.height,
                extensions: CMFormatDescriptionGetExtensions(description), formatDescriptionOut: &made)
            #expect(made == description && made?.hashValue == description.hashValue)
        }

        @Test("a sample's bytes are those that the session wrote, not a copy, and stay when the access unit is gone")
        func bytes() throws {
            let configuration = SessionConfiguration(codec: .h264, width: 176, height: 144, pixelFormat: .nv12)
            let session = try CompressionSession(
                configuration, encoder: X264Backend().listEncoders()[0], of: X264Backend(), transfer: nil,
                unitMemory: .block, logger: Logger(label: "test"))
            let collected = Mutex<[EncodedFrame]>([])
            try session.deliver { frame in collected.withLock { $0.append(frame) } }
            for number in 0..<5 {
                try session.synchronous.encode(
                    frame(number).pixelBuffer(), at: MediaTime(value: Int64(number), timescale: 30))
            }
            try session.synchronous.finish()
            var maker = SampleMaker()
            var samples: [CMSampleBuffer] = []
            var data: [[UInt8]] = []
            for encoded in collected.withLock({ exchange(&$0, with: []) }) {
                let unit = try #require(encoded.accessUnit)
                let ticket = FrameTicket(time(0), .invalid, refCon: nil, handler: nil)
                let sample = maker.sample(of: unit, encoded, ticket)
                var pointer: UnsafeMutablePointer<Int8>?
                CMBlockBufferGetDataPointer(
                    try #require(sample.dataBuffer), atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: nil,
                    dataPointerOut: &pointer)
                let address = unit.block?.bytes.baseAddress
                #expect(address != nil && pointer.map { UnsafeMutableRawPointer($0) } == address)
                data.append(unit.data)
                samples.append(sample)
            }
            #expect(samples.count == 5 && samples.map(\.bytes) == data)
        }

        @Test("what is attached to one sample is not attached to another of the same kind")
        func attachments() throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_AllowFrameReordering, kCFBooleanFalse)
            for number in 0..<4 { encoding.encode(try frame(number), at: time(number)) }
            #expect(encoding.complete() == noErr)
            let samples = encoding.output.samples
            samples[1].sampleAttachments[0][.displayImmediately] = true
            #expect(samples.map { $0.sampleAttachments[0][.displayImmediately] as? Bool } == [nil, true, nil, nil])
        }
    }
#endif

// SPDX-License-Identifier: MIT

#if os(Linux)
    import Foundation
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EKVideoToolbox
    import EncoderAPI
    import MediaFiles
    import ParameterSets
    import Synchronization
    import Testing
    import X264Backend
    import X265Backend

    /// Registers the encoders that these tests use, once.
    enum TestEncoders {
        static let registered: Void = {
            VTRegisterEncoderBackend(X265Backend())
            VTRegisterEncoderBackend(X264Backend())
        }()
    }

    /// What callbacks told, in their order.
    final class Output: Sendable {
        struct Event: @unchecked Sendable {
            // Unchecked: the sample buffer is read alone.
            var refCon: Int
            var status: OSStatus
            var flags: VTEncodeInfoFlags
            var sample: CMSampleBuffer?
        }

        private let events = Mutex<[Event]>([])

        var all: [Event] { events.withLock { $0 } }
        var samples: [CMSampleBuffer] { all.compactMap(\.sample) }

        func append(_ event: Event) { events.withLock { $0.append(event) } }

        /// Unretained, as clients pass themselves.
        var refCon: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

        static var callback: VTCompressionOutputCallback {
            { refCon, frame, status, flags, sample in
                guard let refCon else { return }
                Unmanaged<Output>.fromOpaque(refCon).takeUnretainedValue().append(
                    Event(refCon: Int(bitPattern: frame), status: status, flags: flags, sample: sample))
            }
        }
    }

    /// A session with a callback that collects.
    struct Encoding {
        let session: VTCompressionSession
        let output = Output()

        init(
            _ codec: CMVideoCodecType = kCMVideoCodecType_H264, _ width: Int32 = 176, _ height: Int32 = 144,
            specification: CFDictionary? = nil, attributes: CFDictionary? = nil
        ) throws {
            _ = TestEncoders.registered
            var session: VTCompressionSession?
            let status = VTCompressionSessionCreate(
                allocator: kCFAllocatorDefault, width: width, height: height, codecType: codec,
                encoderSpecification: specification, imageBufferAttributes: attributes, compressedDataAllocator: nil,
                outputCallback: Output.callback, refcon: output.refCon, compressionSessionOut: &session)
            #expect(status == noErr)
            self.session = try #require(session)
        }

        /// Sets a key and expects it to be taken.
        func set(_ key: CFString, _ value: CFTypeRef?, _ expected: OSStatus = noErr) {
            #expect(VTSessionSetProperty(session, key: key, value: value) == expected, "\(key)")
        }

        @discardableResult
        func encode(
            _ buffer: CVPixelBuffer, at time: CMTime, duration: CMTime = .invalid, properties: CFDictionary? = nil,
            refCon: Int = 0
        ) -> OSStatus {
            VTCompressionSessionEncodeFrame(
                session, imageBuffer: buffer, presentationTimeStamp: time, duration: duration,
                frameProperties: properties, sourceFrameRefcon: UnsafeMutableRawPointer(bitPattern: refCon),
                infoFlagsOut: nil)
        }

        /// Copies a key's value, which is nil where the call fails.
        func copy(_ key: CFString) -> (status: OSStatus, value: CFTypeRef?) {
            var value: CFTypeRef?
            let status = withUnsafeMutablePointer(to: &value) {
                VTSessionCopyProperty(session, key: key, allocator: nil, valueOut: UnsafeMutableRawPointer($0))
            }
            return (status, value)
        }

        func complete() -> OSStatus {
            VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
        }
    }

    /// A buffer whose luma moves with a number.
    func frame(
        _ number: Int, _ width: Int = 176, _ height: Int = 144,
        format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    ) throws -> CVPixelBuffer {
        var made: CVPixelBuffer?
        #expect(CVPixelBufferCreate(nil, width, height, format, nil, &made) == kCVReturnSuccess)
        let buffer = try #require(made)
        for plane in 0..<max(CVPixelBufferGetPlaneCount(buffer), 1) {
            let base = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, plane))
            let stride = CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
            let is16Bit = format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
            for row in 0..<CVPixelBufferGetHeightOfPlane(buffer, plane) {
                for column in 0..<stride {
                    let value = plane == 0 ? 32 + (row + column + 3 * number) % 160 : 100 + (number % 40)
                    // Ten bits in the high bits of 16: the low byte has two of them.
                    let byte = is16Bit && column % 2 == 0 ? 0 : value
                    base.storeBytes(of: UInt8(byte), toByteOffset: row * stride + column, as: UInt8.self)
                }
            }
        }
        return buffer
    }

    func time(_ frame: Int) -> CMTime { CMTime(value: Int64(frame), timescale: 30) }

    extension CMSampleBuffer {
        /// Whether decoding can begin with it: as clients ask.
        var isSync: Bool { sampleAttachments[0][.notSync] as? Bool != true }

        /// The bytes of the sample.
        var bytes: [UInt8] { dataBuffer?.withContiguousStorage { [UInt8]($0) } ?? [] }

        /// NAL units, by the lengths before them.
        var nalUnits: [[UInt8]] {
            var (units, rest) = ([[UInt8]](), bytes[...])
            while rest.count >= 4 {
                let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                units.append([UInt8](rest.dropFirst(4).prefix(length)))
                rest = rest.dropFirst(4 + length)
            }
            #expect(rest.isEmpty)
            return units
        }
    }

    /// Decodes samples with libavcodec, parameter sets before each sync sample; none may be damaged.
    func decode(_ samples: [CMSampleBuffer], _ codec: VideoCodec = .h264) throws -> [DecodedPicture] {
        let decoder = try StreamDecoder(codec: codec)
        var pictures: [DecodedPicture] = []
        let startCode: [UInt8] = [0, 0, 0, 1]
        for (index, sample) in samples.enumerated() {
            let sets = sample.isSync ? (sample.formatDescription?.parameterSets.map { [UInt8]($0) } ?? []) : []
            let unit = (sets + sample.nalUnits).flatMap { startCode + $0 }
            pictures += try decoder.decode(unit, presentationTime: MediaTime(value: Int64(index), timescale: 1))
        }
        pictures += try decoder.finish()
        let isDamaged = pictures.contains { $0.isDamaged }
        #expect(!isDamaged)
        return pictures
    }
#endif

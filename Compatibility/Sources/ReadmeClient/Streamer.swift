// SPDX-License-Identifier: MIT

import VideoToolbox
final class Streamer {
    private var session: VTCompressionSession!
    init(width: Int32, height: Int32) {
        VTCompressionSessionCreate(
            allocator: nil, width: width, height: height, codecType: kCMVideoCodecType_H264, encoderSpecification: nil,
            imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
            compressionSessionOut: &session)
        VTSessionSetProperty(session, key: kVTCompressionPropertyKey_RealTime, value: kCFBooleanTrue)
    }
    func encode(_ picture: CVPixelBuffer, at time: CMTime) {
        VTCompressionSessionEncodeFrame(
            session, imageBuffer: picture, presentationTimeStamp: time, duration: .invalid, frameProperties: nil,
            infoFlagsOut: nil
        ) { status, _, sample in print(time.seconds, status, sample?.totalSampleSize ?? 0, "bytes") }
    }
}

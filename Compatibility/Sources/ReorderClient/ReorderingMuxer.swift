// SPDX-License-Identifier: MIT

import CoreMedia
import Foundation
import VideoToolbox

/// Encodes with frame reordering, not in real time, and finds the delay by which decode times must be earlier.
///
/// VideoToolbox's begin with the first presentation time, so that some are above their frame's: muxers for iOS subtract
/// a delay.
package final class ReorderingMuxer: @unchecked Sendable {
    /// A frame with the times that a container has.
    package struct Packet: Sendable {
        package let data: Data
        package let isKey: Bool
        package let presentationTime: CMTime
        /// As the session gave it; that of presentation where it gave none.
        package let decodeTime: CMTime
        package let parameterSets: [Data]
    }

    private var session: VTCompressionSession!
    private let lock = NSLock()
    private var packets: [Packet] = []
    package private(set) var failures: [OSStatus] = []

    package init?(codec: CMVideoCodecType, width: Int32, height: Int32, bitRate: Int) {
        VTCompressionSessionCreate(
            allocator: nil, width: width, height: height, codecType: codec, encoderSpecification: nil,
            imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
            compressionSessionOut: &session)
        guard session != nil else { return nil }
        set(kVTCompressionPropertyKey_AllowFrameReordering, kCFBooleanTrue)
        set(kVTCompressionPropertyKey_AverageBitRate, bitRate as CFNumber)
        set(kVTCompressionPropertyKey_ExpectedFrameRate, 30 as CFNumber)
        set(kVTCompressionPropertyKey_MaxKeyFrameInterval, 60 as CFNumber)
    }

    /// Sets a key, also between frames.
    package func set(_ key: CFString, _ value: AnyObject?) {
        let status = VTSessionSetProperty(session, key: key, value: value)
        if status != noErr { failures.append(status) }
    }

    package func encode(_ picture: CVPixelBuffer, at time: CMTime, duration: CMTime) {
        let status = VTCompressionSessionEncodeFrame(
            session, imageBuffer: picture, presentationTimeStamp: time, duration: duration, frameProperties: nil,
            infoFlagsOut: nil
        ) { [self] status, _, sample in
            guard status == noErr, let sample, let data = try? sample.dataBuffer?.dataBytes() else { return }
            let isKey = sample.sampleAttachments[0][.notSync] as? Bool != true
            let time = sample.presentationTimeStamp
            let decodeTime = sample.decodeTimeStamp
            let packet = Packet(
                data: data, isKey: isKey, presentationTime: time, decodeTime: decodeTime.isValid ? decodeTime : time,
                parameterSets: isKey ? sample.formatDescription?.parameterSets ?? [] : [])
            lock.withLock { packets.append(packet) }
        }
        if status != noErr { failures.append(status) }
    }

    /// Waits for all frames; packets in decode order, with the delay by which decode times must be earlier so that
    /// none is above its presentation time.
    package func finish() -> (packets: [Packet], delay: CMTime) {
        VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
        VTCompressionSessionInvalidate(session)
        let packets = lock.withLock { self.packets }
        var delay = CMTime.zero
        for packet in packets where packet.decodeTime - packet.presentationTime > delay {
            delay = packet.decodeTime - packet.presentationTime
        }
        return (packets, delay)
    }
}

// SPDX-License-Identifier: MIT

import CoreMedia
import CoreVideo
import Foundation
import Third
import VideoToolbox

#if IMPORTS_COREFOUNDATION
    import CoreFoundation
#endif

/// Opens a session of each codec and says how it went, and whose CoreFoundation the other target has.
@main struct Application {
    static func main() {
        let statuses = [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC].map(status)
        let memory =
            (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?
            .split(separator: "\n").first { $0.hasPrefix("VmHWM") }.map { $0.filter(\.isNumber) } ?? "?"
        print("h264 \(statuses[0]) hevc \(statuses[1]) third \(coreFoundation) \(seesVideoToolbox) kB \(memory)")
    }

    private static func status(_ codec: CMVideoCodecType) -> OSStatus {
        var session: VTCompressionSession?
        let status = VTCompressionSessionCreate(
            allocator: kCFAllocatorDefault, width: 320, height: 192, codecType: codec, encoderSpecification: nil,
            imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
            compressionSessionOut: &session)
        guard status == noErr, let session else { return status }
        let key: CFString = kVTCompressionPropertyKey_RealTime
        let told = VTSessionSetProperty(session, key: key, value: kCFBooleanTrue)
        guard told == noErr else { return told }
        defer { VTCompressionSessionInvalidate(session) }
        return VTCompressionSessionPrepareToEncodeFrames(session)
    }
}

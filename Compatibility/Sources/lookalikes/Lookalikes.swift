// SPDX-License-Identifier: MIT

import AliasedClients
import Clients
import Foundation
import StrictClients
import VideoToolbox

/// Runs each client, writes its stream to a file of the folder that is named, and says what came out.
@main
struct Lookalikes {
    static func main() async {
        guard CommandLine.arguments.count == 2 else {
            print("usage: lookalikes FOLDER")
            exit(64)
        }
        let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
        var isRight = true
        func expect(_ what: String, _ condition: Bool) {
            print("\(condition ? "right" : "WRONG"): \(what)")
            if !condition { isRight = false }
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

            let callback = CallbackClient(width: 640, height: 360, bitRate: 1_000_000)
            for number in 0..<150 {
                if number == 75 { callback.setBitRate(300_000) }
                let format =
                    number < 50
                    ? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
                    : (number < 100 ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_32BGRA)
                let size: (Int, Int) = number / 25 % 2 == 0 ? (640, 360) : (960, 540)
                expect("frame \(number) is taken", callback.encode(frame(number, size.0, size.1, format)))
            }
            callback.finish()
            expect("one NAL unit a frame, 150 of them", callback.frames == 150)
            // Another size looks like another scene, which begins with a key frame.
            let places = callback.keyFrames + [150]
            expect(
                "key frames at \(callback.keyFrames), 30 apart at most",
                places.first == 0 && zip(places, places.dropFirst()).allSatisfy { $1 - $0 <= 30 } && places.count < 15)
            try callback.stream.write(to: folder.appendingPathComponent("callback.h264"))

            for (name, codec) in [("boxed.h264", kCMVideoCodecType_H264), ("boxed.hevc", kCMVideoCodecType_HEVC)] {
                let boxed = BoxedClient(codec, width: 320, height: 240, bitRate: 400_000)
                for number in 0..<60 {
                    let taken = boxed.encode(
                        frame(number, 320, 240, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange),
                        forcesKeyFrame: number == 20 || number == 41)
                    expect("\(name): frame \(number) is taken", taken)
                }
                boxed.finish()
                expect("\(name): each box comes back once, in order", boxed.numbers == Array(0..<60))
                expect("\(name): key frames at \(boxed.keyFrames)", boxed.keyFrames == [0, 20, 41])
                try boxed.stream.write(to: folder.appendingPathComponent(name))
            }

            for profile in ["H264_Baseline_3_1", "H264_High_AutoLevel", "HEVC_Main_AutoLevel"] {
                var settings = StreamClient.Settings()
                settings.profileLevel = profile
                guard let client = StreamClient(settings) else {
                    expect("\(profile): every status is 0", false)
                    continue
                }
                for number in 0..<45 {
                    let buffer = frame(number, 426, 240, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
                    let status = client.append(buffer, at: CMTime(value: Int64(number), timescale: 30))
                    expect("\(profile): frame \(number) is taken", status == noErr)
                }
                client.stop()
                var times: [CMTime] = []
                for await sample in client.samples {
                    times.append(sample.presentationTimeStamp)
                    client.decode(sample)
                }
                // Nothing is lost where a client ends in real time without completing.
                expect("\(profile): all 45 samples came", times.map(\.value) == Array(0..<45))
                expect("\(profile): decoders are refused", client.decoderStatus == kVTCouldNotFindVideoDecoderErr)
            }
        } catch {
            expect("\(error)", false)
        }
        exit(isRight ? 0 : 1)
    }

    /// Bytes without a pattern, the same in each run.
    private static let texture: [UInt8] = {
        var state: UInt32 = 1
        return (0..<8192).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(64 + state >> 25)
        }
    }()

    /// A buffer whose samples move with a number.
    private static func frame(_ number: Int, _ width: Int, _ height: Int, _ format: OSType) -> CVPixelBuffer {
        var made: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, nil, &made)
        guard let buffer = made else { fatalError("no memory for a buffer of \(width)x\(height)") }
        CVPixelBufferLockBaseAddress(buffer, [])
        for plane in 0..<max(CVPixelBufferGetPlaneCount(buffer), 1) {
            guard let base = CVPixelBufferGetBaseAddressOfPlane(buffer, plane) else { continue }
            let bytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
            for row in 0..<CVPixelBufferGetHeightOfPlane(buffer, plane) {
                // Moves by two bytes a frame, as pictures do that are predicted from the last one.
                let start = row * 41 % 499 + 2 * number
                texture.withUnsafeBytes { bytes in
                    guard let from = bytes.baseAddress else { return }
                    memcpy(base + row * bytesPerRow, from + start, bytesPerRow)
                }
            }
        }
        CVPixelBufferUnlockBaseAddress(buffer, [])
        return buffer
    }
}

// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles
import TestSupport

/// The samples of a picture without row padding, as files store them.
func packedSamples(_ picture: PixelBuffer) -> [UInt8] {
    var samples: [UInt8] = []
    for plane in 0..<picture.format.planeCount {
        let rowBytes = picture.format.rowBytes(plane: plane, width: picture.width)
        picture.withPlane(plane) { bytes, bytesPerRow in
            for row in 0..<picture.format.rows(plane: plane, height: picture.height) {
                samples += bytes[row * bytesPerRow..<row * bytesPerRow + rowBytes]
            }
        }
    }
    return samples
}

/// Everything a source gives until its end or first error.
struct SourceContents {
    var samples: [UInt8] = []
    var times: [MediaTime] = []
    var durations: [MediaTime?] = []
    var offsets: [Int64?] = []
    var error: MediaFileError?

    var count: Int { times.count }

    init(_ source: any VideoSource) {
        do throws(MediaFileError) {
            while let frame = try source.next() {
                samples += packedSamples(frame.picture)
                times.append(frame.presentationTime)
                durations.append(frame.duration)
                offsets.append(frame.byteOffset)
            }
        } catch {
            self.error = error
        }
    }
}

/// Samples of pictures that differ from each other in every byte position.
func patternSamples(format: PixelFormat, width: Int, height: Int, count: Int) -> [UInt8] {
    let byteCount = format.byteCount(width: width, height: height)
    return (0..<count).flatMap { index in
        (0..<byteCount).map { offset in
            // The high byte of a 16-bit sample stays within the format's bits.
            let limit = format.bytesPerSample == 2 && offset % 2 == 1 ? 4 : 251
            return UInt8((offset * 7 + index * 31) % limit)
        }
    }
}

/// A YUV4MPEG2 file of such pictures.
func y4mFile(header: String, frameHeader: String = "FRAME", samples: [UInt8], frameBytes: Int) -> [UInt8] {
    var file = Array("YUV4MPEG2 \(header)\n".utf8)
    for start in stride(from: 0, to: samples.count, by: frameBytes) {
        file += Array("\(frameHeader)\n".utf8)
        file += samples[start..<min(start + frameBytes, samples.count)]
    }
    return file
}

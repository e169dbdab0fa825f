// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import MediaFiles
import TestSupport
import Testing

/// Samples of one or more pictures without row padding, as files store them; too many to print when they differ.
struct Samples: Hashable, CustomTestStringConvertible {
    var bytes: [UInt8] = []

    init() {}
    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The samples of pictures one after the other.
    init(of pictures: [PixelBuffer]) {
        for picture in pictures { bytes += packedSamples(picture) }
    }

    var testDescription: String { "\(bytes.count) bytes, hash \(hashValue)" }
}

/// The samples of a picture without row padding, as files store them.
func packedSamples(_ picture: PixelBuffer) -> [UInt8] {
    let byteCount = picture.format.byteCount(width: picture.width, height: picture.height)
    return [UInt8](unsafeUninitializedCapacity: byteCount) { samples, count in
        for plane in 0..<picture.format.planeCount {
            let rowBytes = picture.format.rowBytes(plane: plane, width: picture.width)
            picture.withPlane(plane) { bytes, bytesPerRow in
                for row in 0..<picture.format.rows(plane: plane, height: picture.height) {
                    // Whole rows at once: tests run without optimization.
                    guard let target = samples.baseAddress, let source = bytes.baseAddress else { return }
                    memcpy(target + count, source + row * bytesPerRow, rowBytes)
                    count += rowBytes
                }
            }
        }
    }
}

/// Everything a source gives until its end or first error.
struct SourceContents {
    /// Each picture's samples.
    var pictures: [Samples] = []
    var times: [MediaTime] = []
    var durations: [MediaTime?] = []
    var offsets: [Int64?] = []
    var error: MediaFileError?

    var count: Int { times.count }

    /// The samples of all pictures, one after the other.
    var samples: Samples {
        var all = Samples()
        for picture in pictures { all.bytes += picture.bytes }
        return all
    }

    /// Whether each picture is that of `other` at the same time.
    func isPart(of other: SourceContents) -> Bool {
        zip(times, pictures).allSatisfy { time, picture in
            other.times.firstIndex(of: time).map { other.pictures[$0] == picture } ?? false
        }
    }

    init(_ source: any VideoSource) {
        do throws(MediaFileError) {
            while let frame = try source.next() {
                pictures.append(Samples(of: [frame.picture]))
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

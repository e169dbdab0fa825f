// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Glibc
import MediaFiles

extension PointPlanner {
    /// Whether two clips are one, perhaps in different containers: all of their pictures that are used are the same,
    /// sample for sample.
    ///
    /// Both are decoded side by side up to the first picture that differs, which of two clips is nearly always their
    /// first.
    ///
    /// - Returns: False too for clips that cannot be read to their ends, which whoever encodes them will learn.
    /// - Throws: ``Interrupted``.
    func hasSamePictures(
        _ first: ClipFacts, _ second: ClipFacts, interruption: OneShotEvent
    ) throws(Interrupted) -> Bool {
        guard first.width == second.width, first.height == second.height, first.pixelFormat == second.pixelFormat
        else { return false }
        if let count = first.expectedFrames, let other = second.expectedFrames, abs(count - other) > 1 { return false }
        do {
            let sources = try [first, second].map { clip in
                try VideoInput.open(path: clip.path, rawFormat: clip.raw?.format)
            }
            for _ in 0..<(first.frameLimit ?? .max) {
                if interruption.hasHappened { throw Interrupted() }
                guard let picture = try sources[0].next()?.picture else { return try sources[1].next() == nil }
                guard let other = try sources[1].next()?.picture, picture.hasSameSamples(as: other) else {
                    return false
                }
            }
            return true
        } catch let interrupted as Interrupted {
            throw interrupted
        } catch {
            return false
        }
    }
}

extension PixelBuffer {
    /// Whether another picture of the same format and size has the same samples, whatever lies between its rows.
    fileprivate func hasSameSamples(as other: PixelBuffer) -> Bool {
        guard format == other.format, width == other.width, height == other.height else { return false }
        return (0..<format.planeCount).allSatisfy { plane in
            let rowBytes = format.rowBytes(plane: plane, width: width)
            let starts = (unsafeAddress(plane: plane), other.unsafeAddress(plane: plane))
            let strides = (bytesPerRow(plane: plane), other.bytesPerRow(plane: plane))
            return (0..<format.rows(plane: plane, height: height)).allSatisfy { row in
                memcmp(starts.0 + row * strides.0, starts.1 + row * strides.1, rowBytes) == 0
            }
        }
    }
}

// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI
package import MediaFiles

/// Clips that were decoded once, for all their points: decoding them for each would cost more than a fast encode.
package actor DecodedClips {
    /// Bytes of a clip that are kept at most; longer ones are decoded for each point.
    package static let byteLimit: Int64 = 2 << 30

    private let byteLimit: Int64
    private let interruption: OneShotEvent
    /// Scenes of long clips, which one pass decodes all together when the first of them is asked for.
    private var expected: [PointSpec] = []
    /// Those that were decoded; nil stands for one that there was no room for.
    private var scenes: [PointSpec.ClipIdentity: DecodedClip?] = [:]
    /// The clips used last; nil stands for one that is not kept.
    private var clips: [(name: PointSpec.ClipIdentity, clip: DecodedClip?)] = []

    /// Starts with none.
    ///
    /// - Parameters:
    ///   - byteLimit: Bytes of a clip that are kept at most, or of all scenes together.
    ///   - interruption: Ends the decoding of scenes when it happens.
    package init(byteLimit: Int64 = byteLimit, interruption: OneShotEvent = OneShotEvent()) {
        self.byteLimit = byteLimit
        self.interruption = interruption
    }

    /// Starts with what another process said of a point's clip.
    package init(knowing clip: DecodedClip?, of point: PointSpec) {
        byteLimit = Self.byteLimit
        interruption = OneShotEvent()
        clips = [(point.clipIdentity, clip)]
    }

    /// Says that scenes of one clip will be asked for.
    package func expectScenes(of points: [PointSpec]) {
        for point in points where !expected.contains(where: { $0.clipIdentity == point.clipIdentity }) {
            expected.append(point)
        }
    }

    /// The clip of a point, decoded now if it was not before.
    ///
    /// - Returns: Nil where the file is better read itself: it has no codec, it is too long, or it cannot be decoded to
    ///   its end, which whoever reads it will learn.
    package func clip(of point: PointSpec) -> DecodedClip? {
        if let known = scenes[point.clipIdentity] { return known }
        let missing = expected.filter { $0.path == point.path && scenes[$0.clipIdentity] == nil }
        if missing.contains(where: { $0.clipIdentity == point.clipIdentity }) {
            let found = try? DecodedClip.scenes(of: missing, byteLimit: byteLimit, interruption: interruption)
            for (index, scene) in missing.enumerated() { scenes[scene.clipIdentity] = .some(found?[index]) }
            return scenes[point.clipIdentity] ?? nil
        }
        if let known = clips.first(where: { $0.name == point.clipIdentity }) { return known.clip }
        // All cores wait for this one.
        let clip = (try? DecodedClip(point, byteLimit: byteLimit)) ?? nil
        // Jobs work on one clip, or on the end of one and the start of the next.
        clips = clips.suffix(1) + [(point.clipIdentity, clip)]
        return clip
    }
}

extension RunContext {
    /// Opens a point's clip for a run that takes times: decoded before if it has a codec and there is room for it.
    ///
    /// - Returns: The pictures, and whether they are decoded, or scaled, while they are read.
    package func openDecoded(_ point: PointSpec) async throws -> (source: any VideoSource, isDecodedMeanwhile: Bool) {
        if let clip = await clips.clip(of: point) {
            return (try point.scaled(try clip.open()), point.work.scaledFrom != nil)
        }
        let file = try point.openFile()
        return (try point.scaled(point.evenlyTimed(file)), file is LibAVReader || point.work.scaledFrom != nil)
    }
}

extension UnnamedFile {
    /// Adds a picture's samples, row after row without padding.
    package func write(_ picture: PixelBuffer) throws(EncoderBenchError) {
        for plane in 0..<picture.format.planeCount {
            let rowBytes = picture.format.rowBytes(plane: plane, width: picture.width)
            let start = UnsafeRawPointer(picture.unsafeAddress(plane: plane))
            let (stride, rows) = (
                picture.bytesPerRow(plane: plane), picture.format.rows(plane: plane, height: picture.height)
            )
            if stride == rowBytes {
                try write(UnsafeRawBufferPointer(start: start, count: rowBytes * rows))
                continue
            }
            let packed = [UInt8](unsafeUninitializedCapacity: rowBytes * rows) { buffer, count in
                for row in 0..<rows {
                    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[(row * rowBytes)...])
                        .copyMemory(from: UnsafeRawBufferPointer(start: start + row * stride, count: rowBytes))
                }
                count = rowBytes * rows
            }
            try write(packed)
        }
    }
}

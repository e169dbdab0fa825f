// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

/// Brings 4:2:0 of more than eight bits into another size; planes count their widths in bytes.
struct DeepTransfer {
    let library: YUVLibrary
    let scratch: Scratch
    let geometry: GeometryPlan
    let format: PixelFormat

    /// Refuses what is done with eight bits alone.
    static func check(_ options: PixelTransferOptions, _ format: PixelFormat) throws(EncoderError) {
        guard options.rotation == .none, !options.isMirrored else {
            throw EncoderError(
                .unsupportedPixelFormat,
                reason: "\(format) to be turned or mirrored, expected pictures of eight bits")
        }
    }

    /// Bits of a sample below its lowest.
    private var shift: Int { format.isBiplanar ? 16 - format.bitDepth : 0 }

    /// Fills the target, whose samples are arranged as the picture's.
    ///
    /// - Parameters:
    ///   - picture: In memory.
    ///   - target: Of the same format.
    ///   - blackLuma: Y of black in eight bits.
    /// - Throws: `EncoderError` with `.outOfMemory`.
    func run(
        _ picture: PixelBuffer, to target: inout MutablePixelBuffer, blackLuma: UInt8
    ) throws(EncoderError) {
        let (crop, content) = (geometry.crop, geometry.content)
        for index in 0..<format.planeCount {
            // Samples of Cb and Cr that lie together are one step.
            let step = index > 0 && format.isBiplanar ? 2 : 1
            func place(_ part: GeometryPlan.Part) -> (x: Int, y: Int, width: Int, height: Int) {
                if index == 0 { return (2 * part.x, part.y, 2 * part.width, part.height) }
                return (part.x / 2 * 2 * step, part.y / 2, (part.width + 1) / 2 * 2 * step, (part.height + 1) / 2)
            }
            let from = place(crop)
            let source = Plane(
                reading: picture, index, x: from.x, y: from.y, width: from.width, height: from.height)
            let (width, height) = (target.width, target.height)
            // The plane is used while `target` is held by this call and nothing else touches it.
            let whole = target.withMutablePlane(index) { bytes, stride in
                Plane(
                    bytes.baseAddress.unsafelyUnwrapped, stride: stride,
                    width: format.rowBytes(plane: index, width: width),
                    height: format.rows(plane: index, height: height))
            }
            if geometry.hasBars {
                let black = index == 0 ? Int(blackLuma) : 128
                whole.fillDeep(UInt16(black << (format.bitDepth - 8 + shift)))
            }
            let to = place(content)
            let part = whole.part(x: to.x, y: to.y, width: to.width, height: to.height)
            try scratch.withPlanes { () throws(EncoderError) in
                if step == 2, source.width != part.width || source.height != part.height {
                    try scalePairs(source, to: part)
                } else {
                    try scale(source, to: part)
                }
            }
        }
        withExtendedLifetime(picture) {}
    }

    /// Scales in steps of a half as long as a side has twice the target's samples, then by two samples each way.
    private func scale(_ source: Plane, to target: Plane) throws(EncoderError) {
        if source.width == target.width, source.height == target.height { return source.copyRows(to: target) }
        // Wrapped memory may begin at any byte; libyuv reads whole samples.
        var source = source
        if UInt(bitPattern: source.base) % 2 != 0 || source.stride % 2 != 0 {
            let aligned = try scratch.plane(width: Int(source.width), height: Int(source.height))
            source.copyRows(to: aligned)
            source = aligned
        }
        var (width, height) = (Int(source.width) / 2, Int(source.height))
        while width >= Int(target.width) || height >= 2 * Int(target.height) {
            if width >= Int(target.width) { width = (width + 1) / 2 }
            if height >= 2 * Int(target.height) { height = (height + 1) / 2 }
            if 2 * width == Int(target.width), height == Int(target.height) { break }
            let halved = try scratch.plane(width: 2 * width, height: height)
            library.scaleDeep(source, to: halved)
            source = halved
        }
        library.scaleDeep(source, to: target)
        target.clearBelow(shift)
    }

    /// Scales Cb and Cr that lie together, each by itself.
    private func scalePairs(_ source: Plane, to target: Plane) throws(EncoderError) {
        func halves(_ plane: Plane) throws(EncoderError) -> (Plane, Plane) {
            let (width, height) = (Int(plane.width) / 2, Int(plane.height))
            return (
                try scratch.plane(width: width, height: height), try scratch.plane(width: width, height: height)
            )
        }
        let (cb, cr) = try halves(source)
        for row in 0..<Int(source.height) {
            let pairs = UnsafeRawPointer(source.row(row))
            let (first, second) = (UnsafeMutableRawPointer(cb.row(row)), UnsafeMutableRawPointer(cr.row(row)))
            for offset in stride(from: 0, to: Int(cb.width), by: 2) {
                first.storeBytes(
                    of: pairs.loadUnaligned(fromByteOffset: 2 * offset, as: UInt16.self), toByteOffset: offset,
                    as: UInt16.self)
                second.storeBytes(
                    of: pairs.loadUnaligned(fromByteOffset: 2 * offset + 2, as: UInt16.self), toByteOffset: offset,
                    as: UInt16.self)
            }
        }
        let (scaledCb, scaledCr) = try halves(target)
        try scale(cb, to: scaledCb)
        try scale(cr, to: scaledCr)
        for row in 0..<Int(target.height) {
            let pairs = UnsafeMutableRawPointer(target.row(row))
            let (first, second) = (UnsafeRawPointer(scaledCb.row(row)), UnsafeRawPointer(scaledCr.row(row)))
            for offset in stride(from: 0, to: Int(scaledCb.width), by: 2) {
                pairs.storeBytes(
                    of: first.load(fromByteOffset: offset, as: UInt16.self), toByteOffset: 2 * offset, as: UInt16.self)
                pairs.storeBytes(
                    of: second.load(fromByteOffset: offset, as: UInt16.self), toByteOffset: 2 * offset + 2,
                    as: UInt16.self)
            }
        }
    }
}

extension Plane {
    /// Copies rows to a plane of the same size.
    fileprivate func copyRows(to target: Plane) {
        for index in 0..<Int(height) { memcpy(target.row(index), row(index), Int(width)) }
    }

    fileprivate func fillDeep(_ value: UInt16) {
        for index in 0..<Int(height) {
            let row = UnsafeMutableRawPointer(row(index))
            for offset in Swift.stride(from: 0, to: Int(width), by: 2) {
                row.storeBytes(of: value, toByteOffset: offset, as: UInt16.self)
            }
        }
    }

    /// Rounds samples that lie in upper bits to whole values.
    fileprivate func clearBelow(_ shift: Int) {
        guard shift > 0 else { return }
        let (half, mask) = (UInt16(1) << (shift - 1), UInt16.max << shift)
        for index in 0..<Int(height) {
            let row = UnsafeMutableRawPointer(row(index))
            for offset in Swift.stride(from: 0, to: Int(width), by: 2) {
                let sample = row.load(fromByteOffset: offset, as: UInt16.self)
                row.storeBytes(
                    of: (sample > mask - half ? mask : sample + half) & mask, toByteOffset: offset, as: UInt16.self)
            }
        }
    }
}

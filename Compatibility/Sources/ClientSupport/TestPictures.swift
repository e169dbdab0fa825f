// SPDX-License-Identifier: MIT

import CoreVideo
import Foundation

/// Pictures of a texture that moves: they cost bits, but less than noise.
public enum TestPictures {
    /// Random steps, so that neighbours are alike; the same in every run.
    private static let texture: [UInt8] = {
        var state: UInt32 = 2_463_534_242
        var value = 128
        return (0..<1 << 16).map { _ in
            state ^= state << 13
            state ^= state >> 17
            state ^= state << 5
            value = min(max(value + Int(state % 25) - 12, 24), 224)
            return UInt8(value)
        }
    }()

    /// A picture in one of 420v, 420f, y420, x420 or BGRA.
    ///
    /// - Parameters:
    ///   - format: CoreVideo's code.
    ///   - width: Columns, up to 4096.
    ///   - height: Rows.
    ///   - index: The picture's number, on which its content depends.
    ///   - pool: Makes the buffer; nil for one of its own.
    /// - Returns: The picture; nil where no buffer can be made.
    public static func make(
        _ format: OSType, width: Int, height: Int, index: Int, pool: CVPixelBufferPool? = nil
    ) -> CVPixelBuffer? {
        var buffer: CVPixelBuffer?
        if let pool {
            CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer)
        } else {
            CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, nil, &buffer)
        }
        guard let buffer else { return nil }
        fill(buffer, index: index)
        return buffer
    }

    /// Writes the picture of a number.
    public static func fill(_ buffer: CVPixelBuffer, index: Int) {
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        if !CVPixelBufferIsPlanar(buffer) {
            guard let base = CVPixelBufferGetBaseAddress(buffer) else { return }
            for row in 0..<CVPixelBufferGetHeight(buffer) {
                copy(
                    row, index, to: base + row * CVPixelBufferGetBytesPerRow(buffer), CVPixelBufferGetWidth(buffer) * 4)
            }
            return
        }
        let isDeep = CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        let planes = CVPixelBufferGetPlaneCount(buffer)
        for plane in 0..<planes {
            guard let base = CVPixelBufferGetBaseAddressOfPlane(buffer, plane) else { return }
            let samples = CVPixelBufferGetWidthOfPlane(buffer, plane) * (planes == 2 && plane == 1 ? 2 : 1)
            for row in 0..<CVPixelBufferGetHeightOfPlane(buffer, plane) {
                let bytes = base + row * CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
                switch (plane, isDeep) {
                case (0, false): copy(row, index, to: bytes, samples)
                case (0, true): copyDeep(row, index, to: bytes, samples)
                case (_, false): memset(bytes, Int32(112 + (row / 16 + index) % 32), samples)
                case (_, true):
                    bytes.withMemoryRebound(to: UInt16.self, capacity: samples) {
                        UnsafeMutableBufferPointer(start: $0, count: samples).update(repeating: 32_768)
                    }
                }
            }
        }
    }

    private static func start(_ row: Int, _ index: Int) -> Int { (row / 2 + index * 3) % 8192 }

    private static func copy(_ row: Int, _ index: Int, to bytes: UnsafeMutableRawPointer, _ count: Int) {
        texture.withUnsafeBytes { _ = memcpy(bytes, $0.baseAddress.unsafelyUnwrapped + start(row, index), count) }
    }

    /// Ten bits lie in the upper bits of 16.
    private static func copyDeep(_ row: Int, _ index: Int, to bytes: UnsafeMutableRawPointer, _ count: Int) {
        let first = start(row, index)
        bytes.withMemoryRebound(to: UInt16.self, capacity: count) { samples in
            texture.withUnsafeBufferPointer { texture in
                for column in 0..<count { samples[column] = UInt16(texture[first + column]) << 8 }
            }
        }
    }
}

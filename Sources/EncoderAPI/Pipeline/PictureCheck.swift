// SPDX-License-Identifier: MIT

extension PixelBuffer {
    /// Whether every sample lies at an address that its size divides.
    var isSampleAligned: Bool {
        let size = format.bytesPerSample
        return size == 1
            || (0..<format.planeCount).allSatisfy { plane in
                (Int(bitPattern: unsafeAddress(plane: plane)) | bytesPerRow(plane: plane)) % size == 0
            }
    }

    /// The smallest page of memory on any machine that Linux runs on.
    private static let pageBytes = 4096

    /// Whether every row can be read up to the next multiple of ``PlaneLayout/alignment``, as ``SourcePicture``
    /// promises: what lies behind it is on the page of its last sample, or a plane of the picture begins before the
    /// next page does and goes on there.
    var isReadableInVectors: Bool {
        for index in 0..<layout.count {
            let plane = layout[index]
            let rest = (PlaneLayout.alignment - plane.rowBytes % PlaneLayout.alignment) % PlaneLayout.alignment
            let last = UInt(bitPattern: unsafeAddress(plane: index)) + UInt(plane.byteCount - 1)
            let toNextPage = Self.pageBytes - Int(last % UInt(Self.pageBytes))
            guard rest < toNextPage || hasByte(at: last + UInt(toNextPage)) else { return false }
        }
        return true
    }

    /// Whether one of the planes has the byte at an address.
    private func hasByte(at address: UInt) -> Bool {
        (0..<format.planeCount).contains { plane in
            withPlane(plane) { bytes, _ in
                let start = UInt(bitPattern: bytes.baseAddress)
                return address >= start && address - start < bytes.count
            }
        }
    }

    /// The first sample above the format's bit depth, as an error.
    var illegalSample: EncoderError? {
        guard format.bytesPerSample == 2, format.layout != .p010 else { return nil }
        let largest = (1 << format.bitDepth) - 1
        for plane in 0..<format.planeCount {
            let rowBytes = format.rowBytes(plane: plane, width: width)
            let value = withPlane(plane) { bytes, bytesPerRow in
                (0..<format.rows(plane: plane, height: height)).lazy
                    .map { UnsafeRawBufferPointer(rebasing: bytes[$0 * bytesPerRow..<$0 * bytesPerRow + rowBytes]) }
                    .first { $0.unionOfSamples > largest }?
                    .sample { $0 > largest }
            }
            if let value {
                return EncoderError(
                    .invalidPixelBuffer, reason: "a sample of \(value) in plane \(plane), expected 0...\(largest)")
            }
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    /// All bits that are set in any of the 16-bit samples.
    fileprivate var unionOfSamples: UInt16 {
        var wide: UInt64 = 0
        for word in 0..<count / 8 { wide |= loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self) }
        var union = UInt16(truncatingIfNeeded: wide | wide >> 16 | wide >> 32 | wide >> 48)
        for offset in stride(from: count / 8 * 8, to: count - 1, by: 2) {
            union |= loadUnaligned(fromByteOffset: offset, as: UInt16.self)
        }
        return union
    }

    /// The first of the 16-bit samples that satisfies `condition`.
    fileprivate func sample(where condition: (UInt16) -> Bool) -> UInt16? {
        stride(from: 0, to: count - 1, by: 2).lazy.map { loadUnaligned(fromByteOffset: $0, as: UInt16.self) }
            .first(where: condition)
    }
}

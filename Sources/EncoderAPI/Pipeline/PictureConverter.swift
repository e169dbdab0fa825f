// SPDX-License-Identifier: MIT

/// Brings pictures into the layout and coded size an encoder takes, in one pass over the samples.
struct PictureConverter {
    private let pool: PixelBufferPool

    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` for an impossible size.
    init(format: PixelFormat, width: Int, height: Int) throws(EncoderError) {
        pool = try PixelBufferPool(format: format, width: width, height: height)
    }

    /// The same picture in the target's layout; the right and bottom edges are repeated where the target is larger.
    ///
    /// - Throws: ``EncoderError`` with `.outOfMemory`.
    func convert(_ source: PixelBuffer) throws(EncoderError) -> PixelBuffer {
        var target = try pool.makeMutablePixelBuffer()
        if source.format.layout == target.format {
            for plane in 0..<source.format.planeCount { copy(plane, of: source, to: &target) }
            return PixelBuffer(target)
        }
        for component in 0..<3 {
            let from = ComponentSource(source, component: component)
            let (format, width, height) = (target.format, target.width, target.height)
            let place = ComponentPlace(format, width: width, height: height, component: component)
            target.withMutablePlane(place.plane) { bytes, bytesPerRow in
                from.copy(to: bytes.baseAddress.unsafelyUnwrapped, bytesPerRow: bytesPerRow, place: place)
            }
        }
        return PixelBuffer(target)
    }

    /// Copies a plane whose layout stays, by whole rows.
    private func copy(_ plane: Int, of source: PixelBuffer, to target: inout MutablePixelBuffer) {
        let format = source.format
        let rows = format.rows(plane: plane, height: source.height)
        let (targetWidth, targetRows) = (target.width, format.rows(plane: plane, height: target.height))
        let rowBytes = format.rowBytes(plane: plane, width: min(source.width, targetWidth))
        let edge = format.bytesPerSample * (format.isBiplanar && plane > 0 ? 2 : 1)
        let (base, bytesPerRow) = (source.unsafeAddress(plane: plane), source.bytesPerRow(plane: plane))
        target.withMutablePlane(plane) { bytes, targetBytesPerRow in
            for row in 0..<targetRows {
                let to = bytes.baseAddress.unsafelyUnwrapped + row * targetBytesPerRow
                to.copyMemory(from: base + min(row, rows - 1) * bytesPerRow, byteCount: rowBytes)
                // Columns right of the picture repeat its last.
                for column in stride(from: rowBytes, to: format.rowBytes(plane: plane, width: targetWidth), by: edge) {
                    (to + column).copyMemory(from: to + rowBytes - edge, byteCount: edge)
                }
            }
        }
    }
}

/// Where the samples of Y, Cb or Cr lie in a format.
private struct ComponentPlace {
    let plane: Int
    /// Samples from one to the next, and from the row's start to the first.
    let step: Int
    let offset: Int
    let width: Int
    let height: Int
    let isWide: Bool
    let bitDepth: Int
    /// Bits below the value in its 16-bit word.
    let padding: Int

    init(_ format: PixelFormat, width: Int, height: Int, component: Int) {
        let interleaved = format.isBiplanar && component > 0
        plane = interleaved ? 1 : component
        step = interleaved ? 2 : 1
        offset = interleaved ? component - 1 : 0
        self.width = component == 0 ? width : (width + 1) / 2
        self.height = component == 0 ? height : (height + 1) / 2
        isWide = format.bytesPerSample == 2
        bitDepth = format.bitDepth
        padding = format.layout == .p010 ? 6 : 0
    }
}

private struct ComponentSource {
    let base: UnsafeRawPointer
    let bytesPerRow: Int
    let place: ComponentPlace

    init(_ buffer: PixelBuffer, component: Int) {
        place = ComponentPlace(buffer.format, width: buffer.width, height: buffer.height, component: component)
        base = buffer.unsafeAddress(plane: place.plane)
        bytesPerRow = buffer.bytesPerRow(plane: place.plane)
    }

    func copy(to target: UnsafeMutableRawPointer, bytesPerRow targetBytesPerRow: Int, place targetPlace: ComponentPlace)
    {
        for row in 0..<targetPlace.height {
            // Rows below the picture repeat its last.
            let from = base + min(row, place.height - 1) * bytesPerRow
            let to = target + row * targetBytesPerRow
            switch (place.isWide, targetPlace.isWide) {
            case (false, false): copyBytes(from, to, targetPlace)
            case (false, true): copyRow(from, of: UInt8.self, to, of: UInt16.self, targetPlace)
            case (true, _): copyRow(from, of: UInt16.self, to, of: UInt16.self, targetPlace)
            }
        }
    }

    /// A row of eight bits, whose values stay: not generic, because that takes a second per picture of 720p where
    /// nothing is optimized.
    private func copyBytes(
        _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ targetPlace: ComponentPlace
    ) {
        let from = (source + place.offset).assumingMemoryBound(to: UInt8.self)
        let to = (target + targetPlace.offset).assumingMemoryBound(to: UInt8.self)
        let (step, targetStep) = (place.step, targetPlace.step)
        let (count, width) = (min(place.width, targetPlace.width), targetPlace.width)
        var column = 0
        if step == 1, targetStep == 1 {
            to.update(from: from, count: count)
            column = count
        }
        while column < count {
            to[column &* targetStep] = from[column &* step]
            column &+= 1
        }
        // Columns right of the picture repeat its last.
        while column < width {
            to[column &* targetStep] = to[(count &- 1) &* targetStep]
            column &+= 1
        }
    }

    @inline(__always)
    private func copyRow<From: FixedWidthInteger, To: FixedWidthInteger>(
        _ source: UnsafeRawPointer, of _: From.Type, _ target: UnsafeMutableRawPointer, of _: To.Type,
        _ targetPlace: ComponentPlace
    ) {
        // Callers may wrap 16-bit rows that start at odd addresses, so loads are unaligned ones.
        let (step, targetStep) = (place.step, targetPlace.step)
        let count = min(place.width, targetPlace.width)
        let left = targetPlace.bitDepth - place.bitDepth + targetPlace.padding
        let right = place.padding
        var from = source + place.offset * MemoryLayout<From>.size
        var to = target + targetPlace.offset * MemoryLayout<To>.size
        for _ in 0..<count {
            let value = To(truncatingIfNeeded: from.loadUnaligned(as: From.self) >> right) << left
            to.storeBytes(of: value, as: To.self)
            from += step * MemoryLayout<From>.size
            to += targetStep * MemoryLayout<To>.size
        }
        guard targetPlace.width > count else { return }
        // Columns right of the picture repeat its last.
        let edge = (to - targetStep * MemoryLayout<To>.size).loadUnaligned(as: To.self)
        for _ in count..<targetPlace.width {
            to.storeBytes(of: edge, as: To.self)
            to += targetStep * MemoryLayout<To>.size
        }
    }
}

// SPDX-License-Identifier: MIT

/// Where the planes of a picture lie; up to three, without an allocation.
package struct PlaneLayout: Sendable {
    /// One plane: rows of `rowBytes` used bytes, `bytesPerRow` apart, from `offset` on.
    package struct Plane: Sendable {
        package var offset = 0
        package var bytesPerRow = 0
        package var rowBytes = 0
        package var rows = 0
        /// From the first byte of the first row to the last used byte of the last.
        package var byteCount: Int { (rows - 1) * bytesPerRow + rowBytes }
    }

    private var planes: (Plane, Plane, Plane) = (Plane(), Plane(), Plane())
    package let count: Int
    /// Bytes that one allocation needs for all planes.
    package private(set) var byteCount = 0

    /// Rows start at multiples of so many bytes, and can be read up to the next: whole vectors of any processor.
    package static let alignment = 64

    /// Lays planes out one after the other with aligned rows; where so many are given, as many as the format has.
    ///
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` for a side that no picture has, and for other planes.
    init(_ source: SourceFormat, planeCount: Int? = nil) throws(EncoderError) {
        let legal = PixelBuffer.legalSides
        for (name, side) in [("width", source.width), ("height", source.height)] where !legal.contains(side) {
            throw EncoderError(
                .invalidPixelBuffer, reason: "\(name) \(side), expected \(legal.lowerBound)...\(legal.upperBound)")
        }
        let format = source.pixelFormat
        count = format.planeCount
        if let planeCount, planeCount != count {
            throw EncoderError(.invalidPixelBuffer, reason: "\(planeCount) planes, expected \(count) for \(format)")
        }
        for index in 0..<count {
            let rowBytes = format.rowBytes(plane: index, width: source.width)
            let bytesPerRow = (rowBytes + Self.alignment - 1) / Self.alignment * Self.alignment
            let rows = format.rows(plane: index, height: source.height)
            self[index] = Plane(offset: byteCount, bytesPerRow: bytesPerRow, rowBytes: rowBytes, rows: rows)
            byteCount += bytesPerRow * rows
        }
    }

    /// Lays out the planes of a picture of a format and size.
    ///
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` for a side that no picture has.
    package init(_ format: PixelFormat, width: Int, height: Int) throws(EncoderError) {
        try self.init(SourceFormat(width: width, height: height, pixelFormat: format, color: nil))
    }

    /// Puts a plane elsewhere, within an object of `byteCount` bytes.
    ///
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` when it does not fit.
    mutating func place(_ index: Int, at offset: Int, bytesPerRow: Int, of byteCount: Int) throws(EncoderError) {
        try setBytesPerRow(bytesPerRow, of: index)
        self[index].offset = offset
        let room = byteCount - self[index].byteCount
        guard offset >= 0, offset <= room else {
            throw EncoderError(
                .invalidPixelBuffer,
                reason: "plane \(index) of \(self[index].byteCount) bytes at \(offset), expected 0...\(room) in "
                    + "\(byteCount) bytes")
        }
    }

    /// Puts the rows of a plane so many bytes apart.
    ///
    /// - Throws: ``EncoderError`` with `.invalidPixelBuffer` when rows would overlap, or no encoder could count so far.
    mutating func setBytesPerRow(_ bytesPerRow: Int, of index: Int) throws(EncoderError) {
        let legal = self[index].rowBytes...Int(Int32.max)
        guard legal.contains(bytesPerRow) else {
            throw EncoderError(
                .invalidPixelBuffer,
                reason: "plane \(index) has \(bytesPerRow) bytes per row, expected \(legal.lowerBound)..."
                    + "\(legal.upperBound)")
        }
        self[index].bytesPerRow = bytesPerRow
    }

    package internal(set) subscript(index: Int) -> Plane {
        get {
            switch index {
            case 0: planes.0
            case 1: planes.1
            default: planes.2
            }
        }
        set {
            switch index {
            case 0: planes.0 = newValue
            case 1: planes.1 = newValue
            default: planes.2 = newValue
            }
        }
    }
}

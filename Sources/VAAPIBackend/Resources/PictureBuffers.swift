// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import ParameterSets

/// Sole owner of the buffers that describe one picture, in the order in which the driver is to read them.
struct PictureBuffers: ~Copyable {
    private let display: VADisplayHandle
    private let context: VAContextID
    private var ids: [VABufferID] = []

    /// Begins without buffers.
    init(_ display: VADisplayHandle, _ context: VAContextID) {
        (self.display, self.context) = (display, context)
        ids.reserveCapacity(16)
    }

    deinit { for id in ids { _ = display.library.status { $0.vaDestroyBuffer(display.raw, id) } } }

    /// Adds a C structure.
    mutating func add<Structure>(
        _ type: VABufferType, _ structure: consuming Structure
    ) throws(EncoderError) {
        try withUnsafeMutableBytes(of: &structure) { bytes throws(EncoderError) in try add(type, bytes) }
    }

    /// Adds a C structure of the kind that goes behind a word with its type.
    mutating func add<Structure>(
        _ type: VAEncMiscParameterType, _ structure: Structure
    ) throws(EncoderError) {
        // `VAEncMiscParameterBuffer` ends in an array of words, which the structure takes the place of: right behind
        // the type, even where it has a pointer.
        let start = MemoryLayout<UInt32>.size
        let bytes = UnsafeMutableRawBufferPointer.allocate(
            byteCount: start + MemoryLayout<Structure>.size, alignment: MemoryLayout<UInt64>.alignment)
        defer { bytes.deallocate() }
        bytes.storeBytes(of: type.rawValue, as: UInt32.self)
        withUnsafeBytes(of: structure) { UnsafeMutableRawBufferPointer(rebasing: bytes[start...]).copyMemory(from: $0) }
        try add(VAEncMiscParameterBufferType, bytes)
    }

    /// Adds a header and what describes it.
    ///
    /// - Parameters:
    ///   - header: Left out where it is of another kind.
    ///   - kinds: The bits of `VAConfigAttribEncPackedHeaders` that the driver takes.
    /// - Throws: ``EncoderError`` as the driver refuses.
    mutating func add(_ header: PackedHeader, ifOneOf kinds: UInt32) throws(EncoderError) {
        guard kinds & UInt32(header.requirement) != 0 else { return }
        var parameters = VAEncPackedHeaderParameterBuffer()
        parameters.type = header.type
        parameters.bit_length = UInt32(header.bitCount)
        parameters.has_emulation_bytes = header.isEscaped ? 1 : 0
        try add(VAEncPackedHeaderParameterBufferType, parameters)
        try header.bytes.withSpan { bytes throws(EncoderError) in
            try bytes.withUnsafeBytes { bytes throws(EncoderError) in
                // Drivers copy it; the prototype knows no const.
                try add(VAEncPackedHeaderDataBufferType, UnsafeMutableRawBufferPointer(mutating: bytes))
            }
        }
    }

    private mutating func add(_ type: VABufferType, _ bytes: UnsafeMutableRawBufferPointer) throws(EncoderError) {
        var id = VA_INVALID_ID
        let status = display.library.status {
            $0.vaCreateBuffer(
                display.raw, context, type, UInt32(bytes.count), 1, bytes.baseAddress, &id)
        }
        try display.library.check(status, "vaCreateBuffer of type \(type.rawValue)")
        ids.append(id)
    }

    /// Hands all to the driver: the picture is `input`.
    ///
    /// - Throws: ``EncoderError`` as the driver refuses; what the context holds is not known then.
    mutating func submit(_ input: VASurface) throws(EncoderError) {
        let library = display.library
        try library.check(library.status { $0.vaBeginPicture(display.raw, context, input.id) }, "vaBeginPicture")
        // After a refusal the picture is not ended: a driver would code it with what is left of the last one.
        let status = library.status { $0.vaRenderPicture(display.raw, context, &ids, Int32(ids.count)) }
        try library.check(status, "vaRenderPicture")
        try library.check(library.status { $0.vaEndPicture(display.raw, context) }, "vaEndPicture")
    }
}

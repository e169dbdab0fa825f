// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import ParameterSets

/// What one codec makes of plans: parameter sets, slice headers, and the structures that tell a driver the same.
///
/// Headers are made once, as values of `ParameterSets`; structures are filled from these values.
protocol CodecDriver: Sendable {
    /// C structures.
    associatedtype Sequence
    associatedtype Picture
    associatedtype Slice

    /// Makes the parameter sets.
    ///
    /// - Throws: ``EncoderError`` for what no level allows or a field cannot hold.
    init(_ stream: StreamConfiguration) throws(EncoderError)

    /// The parameter sets as the stream has them.
    var parameterSets: [[UInt8]] { get }
    /// The parameter sets as the driver is given them.
    var packedSets: [PackedHeader] { get }
    /// Luma samples in a row as coded.
    var codedWidth: Int { get }
    /// Luma rows as coded.
    var codedHeight: Int { get }

    /// The structure that goes before each IDR picture.
    func sequence(_ facts: SequenceFacts) -> Sequence

    /// The structure of a picture.
    func picture(_ plan: PicturePlan, on surfaces: PictureSurfaces) -> Picture

    /// The rows of blocks of each slice, from the top.
    var sliceRows: [Range<Int>] { get }

    /// A slice's structure without reference pictures.
    static var emptySlice: Slice { get }

    /// Describes the slice of some rows in an empty structure, in place, since it has kilobytes; returns its header.
    func describe(
        _ rows: Range<Int>, of plan: PicturePlan, on surfaces: PictureSurfaces, in slice: inout Slice
    ) throws(ParameterSetError) -> PackedHeader

    /// The access unit delimiter of a picture, without start code.
    func delimiter(of plan: PicturePlan) throws(ParameterSetError) -> [UInt8]

    /// Adds a sequence's structure to what describes a picture.
    func addSequence(_ facts: SequenceFacts, to buffers: inout PictureBuffers) throws(EncoderError)

    /// Adds a picture's structure.
    func addPicture(
        _ plan: PicturePlan, on surfaces: PictureSurfaces, to buffers: inout PictureBuffers
    ) throws(EncoderError)

    /// Adds a picture's access unit delimiter where the driver takes headers of `kinds`.
    func addDelimiter(of plan: PicturePlan, kinds: UInt32, to buffers: inout PictureBuffers) throws(EncoderError)

    /// Adds the structures of a picture's slices, each behind its header where the driver takes headers of `kinds`.
    func addSlices(
        _ plan: PicturePlan, on surfaces: PictureSurfaces, kinds: UInt32, to buffers: inout PictureBuffers
    ) throws(EncoderError)
}

// Here, where the structures' types are known, so that an encoder need not be made for each codec.
extension CodecDriver {
    func addSequence(_ facts: SequenceFacts, to buffers: inout PictureBuffers) throws(EncoderError) {
        try buffers.add(VAEncSequenceParameterBufferType, sequence(facts))
    }

    func addPicture(
        _ plan: PicturePlan, on surfaces: PictureSurfaces, to buffers: inout PictureBuffers
    ) throws(EncoderError) {
        try buffers.add(VAEncPictureParameterBufferType, picture(plan, on: surfaces))
    }

    func addDelimiter(
        of plan: PicturePlan, kinds: UInt32, to buffers: inout PictureBuffers
    ) throws(EncoderError) {
        let unit: [UInt8]
        do throws(ParameterSetError) {
            unit = try delimiter(of: plan)
        } catch {
            throw EncoderError(.backendFailure, reason: "a delimiter cannot be written: \(error)")
        }
        try buffers.add(PackedHeader(raw: unit), ifOneOf: kinds)
    }

    func addSlices(
        _ plan: PicturePlan, on surfaces: PictureSurfaces, kinds: UInt32, to buffers: inout PictureBuffers
    ) throws(EncoderError) {
        do {
            for rows in sliceRows {
                var slice = Self.emptySlice
                try buffers.add(try describe(rows, of: plan, on: surfaces, in: &slice), ifOneOf: kinds)
                try buffers.add(VAEncSliceParameterBufferType, slice)
            }
        } catch let error as EncoderError {
            throw error
        } catch {
            throw EncoderError(.backendFailure, reason: "a slice header cannot be written: \(error)")
        }
    }
}

/// What a sequence's structure holds besides parameter sets.
struct SequenceFacts: Sendable, Hashable {
    /// Most pictures from IDR to IDR picture; 0 for no limit.
    var interval: Int
    /// ``interval`` as `intra_period` has it: iHD keeps 16 bits of it, Mesa 22.3 divides by it, and counts HEVC's
    /// pictures in as many bits as it takes and one, of which an SPS has 16 at most.
    var period: UInt32 { UInt32(interval > 0 ? min(interval, 1 << 15) : 1 << 15) }
    /// Pictures from one P picture to the next, 1 without B pictures.
    var distance: Int
    /// The average, or the highest rate of a variable one; 0 where no bit rate is kept.
    var bitsPerSecond: Int
}

/// The objects that a plan's numbers stand for.
struct PictureSurfaces: Sendable {
    /// By slot.
    let reconstructions: [VASurfaceID]
    /// Where the picture's bytes go.
    let codedBuffer: VABufferID
}

/// Fills a C array, which Swift sees as a tuple, with one element.
func fill<CArray, Element: BitwiseCopyable>(_ array: inout CArray, with element: Element) {
    withUnsafeMutableBytes(of: &array) { bytes in
        bytes.withMemoryRebound(to: Element.self) { $0.update(repeating: element) }
    }
}

/// Sets the first elements of a C array, one for each picture; it has room for all that a plan has.
func fill<CArray, Element: BitwiseCopyable>(
    _ array: inout CArray, with pictures: [PicturePlan.Reference], _ element: (PicturePlan.Reference) -> Element
) {
    withUnsafeMutableBytes(of: &array) { bytes in
        bytes.withMemoryRebound(to: Element.self) { places in
            for (index, picture) in pictures.prefix(places.count).enumerated() { places[index] = element(picture) }
        }
    }
}

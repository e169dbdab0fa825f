// SPDX-License-Identifier: MIT

/// Reads headers of slices without looking for emulation prevention in all of their data.
enum SliceHeaderReading {
    /// More than the headers of nearly all slices.
    private static let usualSize = 256

    /// Reads from the first bytes of a unit, and from all of it when they do not suffice.
    static func header<Slice: SyntaxStructure, Header: NALUnitHeader, ParameterSets>(
        of nalUnit: Span<UInt8>, in parameterSets: ParameterSets, isSlice: (Header.UnitType) -> Bool
    ) throws(ParameterSetError) -> Slice where Slice.Context == UnitContext<Header, ParameterSets> {
        do {
            return try header(of: nalUnit, limit: usualSize, in: parameterSets, isSlice: isSlice)
        } catch {
            guard error.code == .endOfData, nalUnit.count > usualSize else { throw error }
        }
        return try header(of: nalUnit, limit: .max, in: parameterSets, isSlice: isSlice)
    }

    private static func header<Slice: SyntaxStructure, Header: NALUnitHeader, ParameterSets>(
        of nalUnit: Span<UInt8>, limit: Int, in parameterSets: ParameterSets,
        isSlice: (Header.UnitType) -> Bool
    ) throws(ParameterSetError) -> Slice where Slice.Context == UnitContext<Header, ParameterSets> {
        var reader = SyntaxReader(PlainBytes(nalUnit: nalUnit, limit: limit))
        var slice = Slice()
        let unitHeader = try Header.read(with: &reader, of: nalUnit, expecting: "a slice", where: isSlice)
        try slice.code(with: &reader, in: .init(header: unitHeader, parameterSets: parameterSets))
        return slice
    }
}

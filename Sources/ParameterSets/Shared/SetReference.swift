// SPDX-License-Identifier: MIT

extension SyntaxCoder {
    /// Codes the id of a parameter set, and finds the set; not to find it is an error at the id.
    mutating func reference<Found>(
        _ name: @autoclosure () -> SyntaxName, _ id: inout Int, _ range: ClosedRange<Int>, to kind: StaticString,
        _ find: (Int) -> Found?
    ) throws(ParameterSetError) -> Found {
        let start = bitPosition
        try ue(name(), &id, range)
        guard let found = find(id) else { throw .missing("\(kind) \(id)", name(), at: start) }
        return found
    }

    /// The error of a unit whose header does not announce what it holds.
    func misfit(_ header: some NALUnitHeader) -> ParameterSetError {
        failure(.notRepresentable, "nal_unit_type", "is \(header.type), which holds another payload")
    }
}

extension ParameterSetError {
    /// The error of a field that refers to a parameter set which did not come before.
    static func missing(_ set: String, _ name: SyntaxName, at bitOffset: Int) -> Self {
        Self(
            .missingParameterSet, field: name.description, bitOffset: bitOffset,
            reason: "refers to \(set), but no such set came before")
    }
}

/// The parameter sets of a stream, of which a slice is coded with two.
protocol SliceSetSource {
    /// An SPS and a PPS.
    associatedtype SliceSets

    /// The sets that a slice is coded with; nil when one of them did not come.
    func ofSlice(ppsID: Int) -> SliceSets?

    /// The id of the SPS that a PPS refers to; nil when the PPS did not come.
    func spsID(ofPPS id: Int) -> Int?
}

extension SliceSetSource {
    /// The sets that a slice is coded with, by the field `name` at `position`, which has the PPS's id.
    func ofSlice(_ ppsID: Int, by name: SyntaxName, at position: Int) throws(ParameterSetError) -> SliceSets {
        if let sets = ofSlice(ppsID: ppsID) { return sets }
        throw .missing(spsID(ofPPS: ppsID).map { "SPS \($0) by PPS \(ppsID)" } ?? "PPS \(ppsID)", name, at: position)
    }
}

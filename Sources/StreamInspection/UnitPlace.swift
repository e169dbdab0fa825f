// SPDX-License-Identifier: MIT

/// Where a NAL unit, or a part of a container, stands in its file.
public enum UnitPlace: Hashable, Sendable {
    /// In a byte stream: the start code, in bytes from the start of the file.
    case stream(startCode: Int, startCodeLength: Int)
    /// In a container: the packet from 0 on, and the start code or length in bytes from the start of its data.
    case packet(Int, position: Int)
    /// In an FLV file: the tag from 0 on, nil before the first, and the structure, or the unit's length, in bytes from
    /// the start of the file.
    case tag(Int?, position: Int)
    /// In a bare stream of units with lengths: the length in bytes from the start of the file.
    case length(position: Int)
    /// In a container's avcC or hvcC: the length in bytes from the start of the record.
    case record(position: Int)

    /// The position in bytes, from where the place counts.
    public var position: Int {
        switch self {
        case .stream(let position, _), .packet(_, let position), .tag(_, let position), .length(let position),
            .record(let position):
            position
        }
    }

    /// The packet or tag; nil outside of them.
    public var container: Int? {
        switch self {
        case .packet(let number, _): number
        case .tag(let number, _): number
        case .stream, .length, .record: nil
        }
    }
}

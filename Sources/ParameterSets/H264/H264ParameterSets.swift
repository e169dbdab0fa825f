// SPDX-License-Identifier: MIT

/// The parameter sets of an H.264 stream so far: what slices and SEI need to be read or written.
public struct H264ParameterSets: Hashable, Sendable {
    private var spsByID: [Int: H264SPS] = [:]
    private var ppsByID: [Int: H264PPS] = [:]

    /// The SPS in use, for SEI that do not name one; nil before the first slice or buffering period.
    public var activeSPSID: Int?

    /// No parameter sets.
    public init() {}

    /// The parameter sets of a stream whose headers an application makes itself.
    public init(sps: H264SPS, pps: H264PPS) {
        insert(sps)
        insert(pps)
        activeSPSID = sps.id
    }

    /// The SPS with an id, 0...31.
    public func sps(_ id: Int) -> H264SPS? { spsByID[id] }

    /// The PPS with an id, 0...255, as it read with the SPS known when it came.
    public func pps(_ id: Int) -> H264PPS? { ppsByID[id] }

    /// The SPS in use, nil when it did not come; before any is in use, the only one there is.
    public var activeSPS: H264SPS? {
        guard let activeSPSID else {
            return spsByID.count == 1 ? spsByID.first?.value : nil
        }
        return spsByID[activeSPSID]
    }

    /// Adds an SPS, or replaces the one of the same id.
    public mutating func insert(_ sps: H264SPS) {
        spsByID[sps.id] = sps
    }

    /// Adds a PPS, or replaces the one of the same id.
    public mutating func insert(_ pps: H264PPS) {
        ppsByID[pps.id] = pps
    }
}

// SPDX-License-Identifier: MIT

/// The parameter sets of an H.264 stream so far: what slices and SEI need to be read or written.
public struct H264ParameterSets: Hashable, Sendable, SliceSetSource {
    private var spsByID: [Int: H264SPS] = [:]
    private var ppsByID: [Int: H264PPS] = [:]
    private var activeSPSID: Int?
    /// What slices are coded with, by the PPS's id.
    private var slices = Derived<[Int: H264SliceParameterSets]>([:])

    /// No parameter sets.
    public init() {}

    /// The parameter sets of a stream whose headers an application makes itself.
    public init(sps: H264SPS, pps: H264PPS) {
        insert(sps)
        insert(pps)
        activate(spsID: sps.id)
    }

    /// The SPS with an id, 0...31.
    public func sps(_ id: Int) -> H264SPS? { spsByID[id] }

    /// The PPS with an id, 0...255, as it read with the SPS known when it came.
    public func pps(_ id: Int) -> H264PPS? { ppsByID[id] }

    func ofSlice(ppsID: Int) -> H264SliceParameterSets? { slices.value[ppsID] }

    func spsID(ofPPS id: Int) -> Int? { pps(id)?.spsID }

    /// The SPS in use, or the only one that came; nil when that cannot be told.
    public var activeSPS: H264SPS? {
        activeSPSID.map { spsByID[$0] } ?? (spsByID.count == 1 ? spsByID.first?.value : nil)
    }

    /// Adds an SPS, or replaces the one of the same id.
    public mutating func insert(_ sps: H264SPS) {
        spsByID[sps.id] = sps
        for (id, pps) in ppsByID where pps.spsID == sps.id {
            slices.value[id] = H264SliceParameterSets(sps: sps, pps: pps)
        }
    }

    /// Adds a PPS, or replaces the one of the same id.
    public mutating func insert(_ pps: H264PPS) {
        ppsByID[pps.id] = pps
        slices.value[pps.id] = sps(pps.spsID).map { H264SliceParameterSets(sps: $0, pps: pps) }
    }

    /// Makes the SPS that a PPS refers to the one in use; a PPS that did not come changes nothing.
    public mutating func activate(ppsID: Int) {
        guard let pps = pps(ppsID) else { return }
        activate(spsID: pps.spsID)
    }

    /// Makes an SPS the one in use; one that did not come changes nothing.
    public mutating func activate(spsID: Int) {
        activeSPSID = sps(spsID) == nil ? activeSPSID : spsID
    }
}

// SPDX-License-Identifier: MIT

/// The parameter sets of an HEVC stream so far, which later units refer to by id (7.4.2.4.2).
public struct HEVCParameterSets: Hashable, Sendable, SliceSetSource {
    /// A set's id in the layer that it came in.
    private struct Key: Hashable {
        var layerID: Int
        var id: Int
    }

    private var videoSets: [Int: HEVCVPS] = [:]
    private var sequenceSets: [Key: HEVCSPS] = [:]
    private var pictureSets: [Key: HEVCPPS] = [:]
    private var activeKey: Key?
    /// What slices of the base layer are coded with, by the picture parameter set's id.
    private var slices = Derived<[Int: HEVCSliceParameterSets]>([:])

    /// None.
    public init() {}

    /// The sets of a stream of one layer.
    public init(vps: HEVCVPS? = nil, sps: HEVCSPS, pps: HEVCPPS) {
        if let vps {
            insert(vps)
        }
        insert(sps)
        insert(pps)
        activate(spsID: sps.id)
    }

    /// The video parameter set with an id, 0...15.
    public func vps(_ id: Int) -> HEVCVPS? { videoSets[id] }

    /// The sequence parameter set with an id, 0...15, for units of a layer.
    ///
    /// A layer's units may refer to sets of lower layers too; the layer's own come first.
    public func sps(_ id: Int, layerID: Int = 0) -> HEVCSPS? {
        Self.find(id, layerID, in: sequenceSets)
    }

    /// The picture parameter set with an id, 0...63, for units of a layer.
    ///
    /// A layer's units may refer to sets of lower layers too; the layer's own come first.
    public func pps(_ id: Int, layerID: Int = 0) -> HEVCPPS? {
        Self.find(id, layerID, in: pictureSets)
    }

    func ofSlice(ppsID: Int) -> HEVCSliceParameterSets? { slices.value[ppsID] }

    func spsID(ofPPS id: Int) -> Int? { pps(id)?.spsID }

    /// The base layer's sequence parameter set in use, or the only one that came; nil when that cannot be told.
    public var activeSPS: HEVCSPS? {
        if let activeKey {
            return sequenceSets[activeKey]
        }
        let base = sequenceSets.filter { $0.key.layerID == 0 }
        return base.count == 1 ? base.first?.value : nil
    }

    /// Whether a video parameter set came.
    var hasVPS: Bool { !videoSets.isEmpty }

    /// Whether the base layer has a sequence parameter set.
    var hasSPS: Bool { sequenceSets.keys.contains { $0.layerID == 0 } }

    /// Adds a set, or replaces the one of its id.
    public mutating func insert(_ vps: HEVCVPS) {
        videoSets[vps.id] = vps
    }

    /// Adds a set of a layer, or replaces the one of its id.
    public mutating func insert(_ sps: HEVCSPS, layerID: Int = 0) {
        sequenceSets[Key(layerID: layerID, id: sps.id)] = sps
        guard layerID == 0 else { return }
        for (key, pps) in pictureSets where key.layerID == 0 && pps.spsID == sps.id {
            slices.value[key.id] = HEVCSliceParameterSets(sps: sps, pps: pps)
        }
    }

    /// Adds a set of a layer, or replaces the one of its id.
    public mutating func insert(_ pps: HEVCPPS, layerID: Int = 0) {
        pictureSets[Key(layerID: layerID, id: pps.id)] = pps
        guard layerID == 0 else { return }
        slices.value[pps.id] = sps(pps.spsID).map { HEVCSliceParameterSets(sps: $0, pps: pps) }
    }

    /// Makes the sequence parameter set that a picture parameter set of the base layer refers to the one in use; a set
    /// that did not come changes nothing.
    public mutating func activate(ppsID: Int) {
        guard let pps = pps(ppsID) else { return }
        activate(spsID: pps.spsID)
    }

    /// Makes a sequence parameter set of the base layer the one in use; one that did not come changes nothing.
    public mutating func activate(spsID: Int) {
        let key = Key(layerID: 0, id: spsID)
        activeKey = sequenceSets[key] == nil ? activeKey : key
    }

    private static func find<Set>(_ id: Int, _ layerID: Int, in sets: [Key: Set]) -> Set? {
        sets[Key(layerID: layerID, id: id)]
            ?? (0..<max(layerID, 0)).reversed().lazy.compactMap { sets[Key(layerID: $0, id: id)] }.first
    }
}

// SPDX-License-Identifier: MIT

/// `active_parameter_sets()`: the sets that the pictures from here on refer to (D.2.21).
public struct HEVCActiveParameterSets: SyntaxStructure {
    /// `active_video_parameter_set_id`, 0...15.
    public var vpsID = 0
    /// `self_contained_cvs_flag`: each sequence decodes without those before it.
    public var selfContainedCvsFlag = false
    /// `no_parameter_set_update_flag`: no set changes.
    public var noParameterSetUpdateFlag = false
    /// `active_seq_parameter_set_id`, one to 16 of 0...15; the first is the base layer's.
    public var spsIDs = [0]
    /// `layer_sps_idx`, one for each layer from the first that is in the stream on: which of ``spsIDs`` it uses.
    public var layerSPSIndices: [Int] = []

    /// Sets 0.
    public init() {}

    /// Codes the payload; the video parameter set that it names tells how many layers there are.
    public mutating func code(
        with coder: inout some SyntaxCoder, in parameterSets: HEVCParameterSets
    ) throws(ParameterSetError) {
        let position = coder.bitPosition
        try coder.u("active_video_parameter_set_id", &vpsID, 4)
        guard let vps = parameterSets.vps(vpsID) else {
            throw .missing("VPS \(vpsID)", "active_video_parameter_set_id", at: position)
        }
        try coder.flag("self_contained_cvs_flag", &selfContainedCvsFlag)
        try coder.flag("no_parameter_set_update_flag", &noParameterSetUpdateFlag)
        try coder.count("num_sps_ids_minus1", &spsIDs, 0...15, minus: 1, repeating: 0)
        for i in spsIDs.indices {
            try coder.ue("active_seq_parameter_set_id", &spsIDs[i], 0...15, at: i)
        }
        // MaxLayersMinus1 is 62 at most (7.4.3.1).
        let first = vps.baseLayerInternalFlag ? 1 : 0
        let layers = first..<max(min(vps.maxLayersMinus1, 62) + 1, first)
        try coder.expect("layer_sps_idx", &layerSPSIndices, count: layers.count, repeating: 0)
        for (index, layer) in layers.enumerated() {
            try coder.ue("layer_sps_idx", &layerSPSIndices[index], 0...spsIDs.count - 1, at: layer)
        }
    }
}

/// `decoded_picture_hash()`: what the samples of a decoded picture come to, component by component (D.2.19).
public struct HEVCDecodedPictureHash: SyntaxStructure {
    /// `hash_type`, 0...255: 0 MD5, 1 CRC, 2 checksum; what others have is kept as extension data.
    public var hashType = 0
    /// `picture_md5`, 16 bytes for each of one or three components; type 0.
    public var md5: [[UInt8]] = []
    /// `picture_crc`, 0...65535, one for each component; type 1.
    public var crc: [Int] = []
    /// `picture_checksum`, 0...2^32 - 1, one for each component; type 2.
    public var checksum: [Int] = []

    /// MD5 of no component.
    public init() {}

    /// Codes as many components as the payload has.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.u("hash_type", &hashType, 8)
        try coder.expectComponents("picture_md5", &md5, of: 128, repeating: [], when: hashType == 0)
        for c in md5.indices {
            try coder.expect("picture_md5", &md5[c], count: 16, repeating: 0)
            for i in md5[c].indices {
                var byte = Int(md5[c][i])
                try coder.u("picture_md5", &byte, 8, at: c, i)
                md5[c][i] = UInt8(byte)
            }
        }
        try coder.expectComponents("picture_crc", &crc, of: 16, repeating: 0, when: hashType == 1)
        for c in crc.indices {
            try coder.u("picture_crc", &crc[c], 16, at: c)
        }
        try coder.expectComponents("picture_checksum", &checksum, of: 32, repeating: 0, when: hashType == 2)
        for c in checksum.indices {
            try coder.u("picture_checksum", &checksum[c], 32, at: c)
        }
    }
}

extension SyntaxCoder {
    /// As many components as the payload has room for, three at most; none where another type is coded.
    fileprivate func expectComponents<Element>(
        _ name: SyntaxName, _ array: inout [Element], of bits: Int, repeating initial: Element, when isCoded: Bool
    ) throws(ParameterSetError) {
        let room = Self.isReading ? remainingBits / bits : array.count
        try expect(name, &array, count: isCoded ? min(room, 3) : 0, repeating: initial)
    }
}

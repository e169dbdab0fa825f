// SPDX-License-Identifier: MIT

private let check = UnitCheck<HEVCNALUnit>(known: HEVCParameterSets.known) { unit, parameterSets in
    switch unit.payload {
    case .sei(let messages):
        for case .common(let payload) in messages.payloads {
            checkCaptions(payload)
        }
    case .vps(let vps):
        _ = (vps.level.description, vps.profileTierLevel.codecString())
    case .sps(let sps): derive(sps)
    case .sliceSegment(let segment, _):
        if let sps = parameterSets.pps(segment.ppsID).flatMap({ parameterSets.sps($0.spsID) }) {
            _ = segment.slice?.references?.shortTermSet(in: sps).usedCount
        }
    default: break
    }
}

private func derive(_ sps: HEVCSPS) {
    if sps.multilayer == nil {
        require(sps.displaySize.width > 0 && sps.displaySize.height > 0, "nothing to show")
        require((1...16).contains(sps.dpbFrames) && (0...15).contains(sps.reorderFrames), "too many frames")
    }
    _ = (sps.frameRate?.value, sps.pixelAspectRatio, sps.color, sps.codecString(), sps.level.description)
    _ = sps.level.limits(isHighTier: sps.isHighTier)?.maxDpbFrames(
        lumaSamples: sps.codedSize.width * sps.codedSize.height)
    for layer in sps.vui?.timing?.hrd?.subLayers ?? [] {
        let common = sps.vui?.timing?.hrd?.common ?? .init()
        for schedule in layer.nalSchedules + layer.vclSchedules {
            _ = schedule.bitsPerSecond(scale: common.bitRateScale) + schedule.bufferBits(scale: common.cpbSizeScale)
        }
    }
}

/// Any byte stream: each unit is traced and read; what can be read is written back as the same bits.
func checkHEVCUnits(_ bytes: [UInt8]) {
    check.run(bytes)
}

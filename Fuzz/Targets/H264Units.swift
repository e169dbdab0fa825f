// SPDX-License-Identifier: MIT

private let check = UnitCheck<H264NALUnit>(known: H264ParameterSets.known) { unit, parameterSets in
    switch unit.payload {
    case .sps(let sps): derive(sps)
    case .subsetSPS(let subset): derive(subset.sps)
    case .slice(let slice):
        _ = (slice.header.kind, unit.header.isIDR)
        _ = parameterSets.pps(slice.header.ppsID)
    case .sei(let messages):
        for case .common(let payload) in messages.payloads {
            checkCaptions(payload)
        }
    default: break
    }
}

/// Any byte stream: each unit is traced and read; what can be read is written back as the same bits.
func checkH264Units(_ bytes: [UInt8]) {
    check.run(bytes)
}

private func derive(_ sps: H264SPS) {
    require(sps.displaySize.width > 0 && sps.displaySize.height > 0, "nothing to show")
    require((0...16).contains(sps.dpbFrames) && (0...16).contains(sps.reorderFrames), "too many frames")
    _ = (sps.frameRate?.value, sps.pixelAspectRatio, sps.color, sps.codecString())
    _ = (sps.profile.description, sps.level.description, sps.level.limits, sps.profile.vclFactor)
    for list in sps.scalingMatrix?.lists ?? [] {
        _ = list?.weights(size: list.map { $0.deltaScale.count > 16 ? 64 : 16 } ?? 16)
    }
    for model in [sps.vui?.nalHRD, sps.vui?.vclHRD] {
        guard let model else { continue }
        for schedule in model.schedules {
            _ = schedule.bitsPerSecond(scale: model.bitRateScale) + schedule.bufferBits(scale: model.cpbSizeScale)
        }
    }
}

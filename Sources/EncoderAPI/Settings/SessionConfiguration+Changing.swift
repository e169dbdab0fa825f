// SPDX-License-Identifier: MIT

/// What differs between configurations, and changes made to another than they were asked of.
extension SessionConfiguration {
    /// Whether the other configuration has the same values but for ``live``.
    func differsOnlyLive(from other: SessionConfiguration) -> Bool {
        var same = self
        same.live = other.live
        return same == other
    }

    /// Refuses what stays as long as a session.
    func checkFixedParts(as before: SessionConfiguration) throws(EncoderError) {
        var changed: Setting?
        if framing != before.framing || parameterSets != before.parameterSets { changed = .framing }
        if timescale != before.timescale { changed = .timescale }
        if pipelineCapacity != before.pipelineCapacity { changed = .pipelineCapacity }
        if color != before.color { changed = .color }
        guard changed != nil || codec != before.codec || source != before.source else { return }
        throw EncoderError(
            .unsupported, reason: "\(changed.map { "\($0)" } ?? "codec, size and format") cannot change in this way",
            setting: changed)
    }

    /// These settings, with each setting whose value differs between `before` and `after` as `after` has it.
    func changed(as before: SessionConfiguration, to after: SessionConfiguration) -> SessionConfiguration {
        guard before != self else { return after }
        var changed = self
        let rows = SettingRow.all.filter { $0.effect != .frame && $0.differs(before, after) }
        // Setting one way of rate control clears the others, so settings that are nil now are reset first.
        for row in rows where row.value(in: after) == nil { row.reset(in: &changed) }
        for row in rows where row.value(in: after) != nil { row.copy(from: after, to: &changed) }
        return changed
    }
}

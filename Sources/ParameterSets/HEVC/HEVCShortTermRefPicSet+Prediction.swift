// SPDX-License-Identifier: MIT

extension HEVCShortTermRefPicSet {
    /// Codes ``prediction``; returns the set that it changes.
    mutating func codePrediction<Coder: SyntaxCoder>(
        with coder: inout Coder, in context: Context
    ) throws(ParameterSetError) -> HEVCShortTermRefPicSet {
        var change = prediction ?? Prediction()
        if context.isInSliceHeader {
            try coder.ue("delta_idx_minus1", &change.deltaIndexMinus1, 0...context.candidates.count - 1)
        } else {
            try coder.infer("delta_idx_minus1", &change.deltaIndexMinus1, 0)
        }
        var isNegative = change.deltaRPS < 0
        var distance = abs(change.deltaRPS) - 1
        try coder.flag("delta_rps_sign", &isNegative)
        try coder.ue("abs_delta_rps_minus1", &distance, 0...32767)
        change.deltaRPS = isNegative ? -(distance + 1) : distance + 1

        let source = context.candidates[context.candidates.count - 1 - change.deltaIndexMinus1]
        try coder.expect("used_by_curr_pic_flag", &change.uses, count: source.count + 1, repeating: .dropped)
        for j in change.uses.indices {
            var isUsed = change.uses[j] == .current
            var isKept = change.uses[j] != .dropped
            try coder.flag("used_by_curr_pic_flag", &isUsed, at: j)
            if !isUsed {
                try coder.flag("use_delta_flag", &isKept, at: j)
            }
            change.uses[j] = isUsed ? .current : isKept ? .later : .dropped
        }
        prediction = change
        return source
    }

    /// The pictures that ``prediction`` makes of `source` ((7-61) and (7-62)).
    func predict(from source: HEVCShortTermRefPicSet) -> HEVCShortTermRefPicSet {
        guard let prediction else { return self }
        let delta = prediction.deltaRPS
        // Entry j of the flags belongs to `before`, then `after`, then the picture that the source set was for.
        func moved(_ deltaPOC: Int, _ j: Int) -> Picture? {
            let use = prediction.uses[j]
            guard use != .dropped else { return nil }
            return Picture(deltaPOC: deltaPOC + delta, isUsedByCurrentPicture: use == .current)
        }
        let fromBefore = source.before.indices.map { moved(source.before[$0].deltaPOC, $0) }
        let fromAfter = source.after.indices.map { moved(source.after[$0].deltaPOC, source.before.count + $0) }
        let own = [moved(0, source.count)]
        // The standard walks from the far end of one side over the source's picture to the far end of the other.
        let ascending = fromBefore.reversed() + own + fromAfter
        var result = HEVCShortTermRefPicSet()
        result.before = ascending.reversed().compactMap { $0 }.filter { $0.deltaPOC < 0 }
        result.after = ascending.compactMap { $0 }.filter { $0.deltaPOC > 0 }
        return result
    }
}

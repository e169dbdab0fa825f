// SPDX-License-Identifier: MIT

extension HEVCShortTermRefPicSet {
    /// Codes ``prediction``; returns the set that it changes.
    mutating func codePrediction(
        with coder: inout some SyntaxCoder, in context: Context
    ) throws(ParameterSetError) -> HEVCShortTermRefPicSet {
        var change = prediction ?? Prediction()
        try coder.ue(
            "delta_idx_minus1", &change.deltaIndexMinus1, 0...context.index - 1, when: context.isInSliceHeader, else: 0)
        var isNegative = change.deltaRPS < 0
        var distance = Int(truncatingIfNeeded: change.deltaRPS.magnitude) &- 1
        try coder.flag("delta_rps_sign", &isNegative)
        try coder.ue("abs_delta_rps_minus1", &distance, 0...32767)
        change.deltaRPS = isNegative ? -(distance + 1) : distance + 1

        let source = context.sets[context.index - 1 - change.deltaIndexMinus1]
        try coder.expect("used_by_curr_pic_flag", &change.uses, count: source.count + 1, repeating: .dropped)
        for j in change.uses.indices {
            var isUsed = change.uses[j] == .current
            var isKept = change.uses[j] != .dropped
            try coder.flag("used_by_curr_pic_flag", &isUsed, at: j)
            try coder.flag("use_delta_flag", &isKept, at: j, when: !isUsed, else: true)
            change.uses[j] = isUsed ? .current : isKept ? .later : .dropped
        }
        prediction = change
        return source
    }

    /// The pictures that ``prediction`` makes of `source` ((7-61) and (7-62)).
    func predict(from source: HEVCShortTermRefPicSet) -> HEVCShortTermRefPicSet {
        guard let prediction else { return self }
        let center = source.before.count
        // What becomes of the picture at a place in output order: those before, the source's own, those after.
        func moved(_ place: Int) -> Picture? {
            // Entry j of the flags belongs to `before`, then `after`, then the picture that the source set was for.
            let (deltaPOC, j) =
                place < center
                ? (source.before[center - 1 - place].deltaPOC, center - 1 - place)
                : place == center ? (0, source.count) : (source.after[place - 1 - center].deltaPOC, place - 1)
            let use = prediction.uses[j]
            guard use != .dropped else { return nil }
            return Picture(deltaPOC: deltaPOC + prediction.deltaRPS, isUsedByCurrentPicture: use == .current)
        }
        func pictures(_ places: StrideThrough<Int>, _ isWanted: (Int) -> Bool) -> [Picture] {
            var pictures: [Picture] = []
            let count = places.count { moved($0).map { isWanted($0.deltaPOC) } ?? false }
            guard count > 0 else { return pictures }
            pictures.reserveCapacity(count)
            for place in places {
                if let picture = moved(place), isWanted(picture.deltaPOC) {
                    pictures.append(picture)
                }
            }
            return pictures
        }
        // The standard walks from the far end of one side over the source's picture to the far end of the other.
        return HEVCShortTermRefPicSet(
            before: pictures(stride(from: source.count, through: 0, by: -1)) { $0 < 0 },
            after: pictures(stride(from: 0, through: source.count, by: 1)) { $0 > 0 })
    }
}

// SPDX-License-Identifier: MIT

/// One value for each of a few tracks: looking through them takes less time than hashing, which each packet would pay
/// for many times.
struct TrackTable<Value: Sendable>: Sendable {
    private var entries: [(track: TrackID, value: Value)] = []

    /// Makes an empty table.
    init() {}

    /// Makes a table of some tracks; of one that is named twice the first value counts.
    init(_ values: some Sequence<(TrackID, Value)>) {
        for (track, value) in values where self[track] == nil { entries.append((track, value)) }
    }

    /// The tracks that have a value, in the order in which they were given one.
    var tracks: [TrackID] { entries.map(\.track) }

    /// How many tracks have a value.
    var count: Int { entries.count }

    /// The values, in the order of ``tracks``.
    var values: [Value] { entries.map(\.value) }

    /// A track's value; nil for a track that has none.
    ///
    /// Setting nil takes the value away.
    subscript(track: TrackID) -> Value? {
        get {
            for entry in entries where entry.track == track { return entry.value }
            return nil
        }
        set {
            let index = entries.firstIndex { $0.track == track }
            switch (index, newValue) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append((track, value))
            case (nil, nil): break
            }
        }
    }
}

// SPDX-License-Identifier: MIT

/// What a back end may do in rare circumstances alone: after a pause, beside another session, where two things change
/// at once.
enum RareLie: String, CaseIterable, Sendable {
    case swapsTimesOfTwoPictures
    case ignoresColorWithAnotherSize
    case followsOneOfTwoChanges
    case swapsChromaOfOneFormatLate
    case showsOldPicturesAfterPauses
    case passesUpdatesOnToOthers
    case dropsPicturesAtARateLate
    case countsPicturesLate
    case forgetsForcingAtTheEnd
    case growsWithEachPicture
    case tellsOldQuantizersAfterUpdates
    case ignoresTheSecondLongerInterval
    case ignoresMethodsFromTheThird

    /// The scenario that must find it.
    var scenario: String {
        switch self {
        case .swapsTimesOfTwoPictures, .swapsChromaOfOneFormatLate, .showsOldPicturesAfterPauses: "late-pictures"
        case .ignoresColorWithAnotherSize: "changed-color"
        case .followsOneOfTwoChanges: "late-quantizers"
        case .passesUpdatesOnToOthers: "sessions-at-once"
        case .dropsPicturesAtARateLate: "average-bit-rate"
        case .countsPicturesLate: "late-frame-rates"
        case .forgetsForcingAtTheEnd: "late-key-frames"
        case .growsWithEachPicture: "steady-memory"
        case .tellsOldQuantizersAfterUpdates: "late-bit-rates"
        case .ignoresTheSecondLongerInterval: "live-key-frame-interval"
        case .ignoresMethodsFromTheThird: "live-rate-control"
        }
    }
}

// SPDX-License-Identifier: MIT

/// What a fake encoder does wrong, one thing at a time.
enum FakeFlaw: String, CaseIterable, Sendable {
    case losesLastFrame
    case hangsWhenDrained
    case ignoresForcedKeyFrames
    case forcesOneFrameLate
    case forcesWithoutIDR
    case ignoresKeyFrameInterval
    case predictsAcrossSync
    case callsSyncFramesPredicted
    case callsEveryFrameReference
    case reordersAnyway
    case holdsTooMany
    case cutsSlices
    case writesVersion
    case changesSetsAnywhere
    case darkensPictures
    case showsPadding
    case mistakesLayout
    case missesAverage
    case exceedsLimits
    case ignoresUpdates
    case startsAnewOnUpdates
    case changesSetsOnUpdates
    case lacksUpdates
    case keepsPictures
    case sharesState
    case acceptsAnyQuantizer
}

// SPDX-License-Identifier: MIT

/// What a model encoder does wrong, one thing at a time, besides what a ``Lie`` can make any encoder do.
enum ModelFlaw: String, CaseIterable, Sendable {
    case losesLastFrame
    case hangsWhenDrained
    case forcesOneFrameLate
    case forcesWithoutIDR
    case predictsAcrossSync
    case callsSyncFramesPredicted
    case callsEveryFrameReference
    case holdsTooMany
    case understatesItsDelay
    case holdsWithPresets
    case holdsToLearnDurations
    case cutsSlices
    case writesVersion
    case leavesStartCodes
    case changesSetsAnywhere
    case tellsOtherSets
    case darkensPictures
    case repeatsPictures
    case showsPadding
    case mistakesLayout
    case keepsFirstSize
    case keepsFirstColor
    case missesAverage
    case exceedsLimits
    case startsAnewOnUpdates
    case changesSetsOnUpdates
    case keepsPictures
    case sharesState
    case acceptsAnyQuantizer
    case refusesOptionsLate
    case givesPicturesTwice
    case listsTheSessionsSettings
    case listsUntriedSettings
    case startsAnewAfterSkips
    case writesSkippedFrames
    case losesSkippedFrames

    var isAboutSkipping: Bool { [.startsAnewAfterSkips, .writesSkippedFrames, .losesSkippedFrames].contains(self) }
}

// SPDX-License-Identifier: MIT

/// What a frame meets where as many wait as ``SessionConfiguration/pipelineCapacity`` says, or as many are inside as
/// ``SessionConfiguration/maxFrameDelayCount`` allows.
///
/// Frames whose callers block or suspend go first: while one of them waits, no later frame is taken, even where there
/// is room.
@nonexhaustive
public enum FullPipeline: Sendable, Hashable {
    /// The frame is not taken, which the call's value says; the call returns at once.
    case drop
    /// The call blocks its thread until there is room.
    case block
    /// The frame is taken while fewer than so many wait, 1 to 4096, and else left out as with ``drop``; so it is while
    /// ``SessionConfiguration/maxFrameDelayCount`` forbids it. The call returns at once.
    case grow(to: Int)
}

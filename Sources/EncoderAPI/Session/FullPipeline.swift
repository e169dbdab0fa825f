// SPDX-License-Identifier: MIT

/// What a frame meets where as many wait as ``SessionConfiguration/pipelineCapacity`` says.
@nonexhaustive
public enum FullPipeline: Sendable, Hashable {
    /// The frame is not taken, which the call's value says; the call returns at once.
    case drop
    /// The call blocks its thread until there is room.
    case block
    /// The frame is taken all the same while fewer than so many wait, 1 to 4096, and is not beyond; the call returns at
    /// once.
    case grow(to: Int)
}

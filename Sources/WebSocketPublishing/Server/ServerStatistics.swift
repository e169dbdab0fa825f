// SPDX-License-Identifier: MIT

/// What a server has done so far.
public struct ServerStatistics: Sendable, Hashable {
    /// Connections that are open, whatever they are for.
    public internal(set) var connections = 0
    /// Viewers that are connected.
    public internal(set) var viewers = 0
    /// Viewers that have come.
    public internal(set) var joinedViewers = 0
    /// Viewers that have left, or were sent away, with the code 1000.
    public internal(set) var completedViewers = 0
    /// Publishers that are connected.
    public internal(set) var publishers = 0
    /// Frames that came from publishers.
    public internal(set) var receivedFrames = 0
    /// Requests that were refused, and connections beyond the limit.
    public internal(set) var refused = 0
    /// Connections that were closed because a peer broke the protocol, was idle, or had a request that was too large or
    /// not whole in time.
    public internal(set) var closedForCause = 0
    /// Frames that were handed to connections, to all viewers together.
    public internal(set) var sentFrames = 0
    /// Frames that were left out because viewers took less than came, of all viewers together.
    public internal(set) var droppedFrames = 0
    /// What a viewer told last of itself, whichever it was; nil where none has.
    public internal(set) var lastReport: ViewerReport?
    /// Bytes of the messages of ``sentFrames``, without those of formats and ends.
    public internal(set) var sentBytes = 0
}

// SPDX-License-Identifier: MIT

package import EncoderAPI

/// What all points of a study are encoded with, beside what their curves and rates say.
package struct CommonSettings: Sendable {
    /// Threads of each encoder; nil lets it choose.
    package var threadCount: Int?
    /// Whether somebody asked for that number, so that it is refused where there are no threads to count.
    package var isThreadCountAsked = false
    /// Numbers of pictures, from 0 on, to make key frames.
    package var forcedKeyFrames: [Int] = []
    /// Frames per second of raw video, and to plan with; nil for the input's.
    package var expectedFrameRate: FrameRate?
    /// Sets everything else.
    package var apply: @Sendable (inout SessionConfiguration) -> Void = { _ in }

    package init(
        threadCount: Int? = nil, isThreadCountAsked: Bool = false, forcedKeyFrames: [Int] = [],
        expectedFrameRate: FrameRate? = nil, apply: @escaping @Sendable (inout SessionConfiguration) -> Void = { _ in }
    ) {
        self.threadCount = threadCount
        self.isThreadCountAsked = isThreadCountAsked
        self.forcedKeyFrames = forcedKeyFrames
        self.expectedFrameRate = expectedFrameRate
        self.apply = apply
    }
}

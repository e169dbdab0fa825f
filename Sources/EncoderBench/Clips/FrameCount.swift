// SPDX-License-Identifier: MIT

package import CommandOptions
import MediaFiles

extension ClipFacts {
    /// Pictures of the clip that are used: its packets, or for files without packets what their size says.
    ///
    /// - Parameter interruption: Ends the reading when it happens.
    /// - Returns: Nil where nothing says so.
    /// - Throws: ``MediaFileError`` for a damaged file; ``Interrupted``.
    package func frameCount(interruption: OneShotEvent) throws -> Int? {
        let limit = frameLimit ?? .max
        // A recognised rate came of counting.
        if recognizedRate != nil || raw != nil { return expectedFrames }
        guard let reader = try? ContainerReader(path: path) else { return expectedFrames }
        var count = 0
        while count < limit, try reader.next() != nil {
            if interruption.hasHappened { throw Interrupted() }
            count += 1
        }
        return count
    }
}

// SPDX-License-Identifier: MIT

package import CommandOptions
import Synchronization

/// Clips that are decoded here for processes of their own, so that none of these decodes while its clock runs.
package final class SharedClips: Sendable {
    /// What a process is told of the clip that it encodes.
    package struct Sharing: Codable, Equatable, Sendable {
        /// Where the decoded clip is; nil where the file is to be read itself.
        package var place: DecodedClip.Place?
    }

    private struct Shared {
        var name: PointSpec.ClipIdentity
        var sharing: Sharing
        // Kept for as long as processes may look for them.
        var clip: DecodedClip?
        var times: UnnamedFile?
    }

    /// Bytes that a clip may take; nil for half of the disk's free room, or on a disk 2 GiB if that is more.
    private let byteLimit: Int64?
    private let interruption: OneShotEvent
    private let last = Mutex<Shared?>(nil)

    /// Starts with none.
    ///
    /// - Parameters:
    ///   - byteLimit: Bytes that a decoded clip may take; nil for half of the free room, or on a disk 2 GiB if that is
    ///     more.
    ///   - interruption: Ends the decoding when it happens.
    package init(byteLimit: Int64? = nil, interruption: OneShotEvent = OneShotEvent()) {
        self.byteLimit = byteLimit
        self.interruption = interruption
    }

    /// What to tell a process that encodes a point; the clip is decoded now unless it was the one asked for last, with
    /// as many pictures or more.
    ///
    /// - Throws: ``Interrupted``.
    package func sharing(of point: PointSpec) throws(Interrupted) -> Sharing {
        try last.withLock { last throws(Interrupted) in
            if let last, last.name.covers(point.clipIdentity) { return last.sharing }
            // Its room is there for the next one.
            last = nil
            let shared = try shared(point)
            last = shared
            return shared.sharing
        }
    }

    private func shared(_ point: PointSpec) throws(Interrupted) -> Shared {
        do {
            let times = try UnnamedFile()
            // Where the folder is in memory, a clip takes what encodes need.
            let usual = UnnamedFile.areInMemory ? times.freeBytes / 2 : max(DecodedClips.byteLimit, times.freeBytes / 2)
            let limit = byteLimit ?? usual
            if let clip = try DecodedClip(point, byteLimit: limit, interruption: interruption) {
                let place = try clip.place(timesIn: times)
                return Shared(
                    name: point.clipIdentity, sharing: Sharing(place: place), clip: clip, times: times)
            }
        } catch let interrupted as Interrupted {
            throw interrupted
        } catch {
            // Whoever reads the file itself will learn what is wrong with it; a full disk is room that is not there.
        }
        return Shared(name: point.clipIdentity, sharing: Sharing())
    }
}

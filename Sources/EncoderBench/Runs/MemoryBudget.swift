// SPDX-License-Identifier: MIT

import EncoderAPI

/// How much memory encodes that run at a time may take together, and the decoded clips they read.
package struct MemoryBudget: Equatable, Sendable {
    /// Budgets that can be asked for, in bytes.
    package static let legalBytes = 64 << 20...1_000_000_000_000

    /// Bytes for all of it.
    package let bytes: Int
    /// Whether decoded clips are in memory too, since the folder for temporary files is.
    package let holdsClips: Bool

    /// - Parameters:
    ///   - bytes: For all of it; nil for half of what is free now, or 1 GiB where the system does not tell.
    ///   - holdsClips: Whether decoded clips are in memory; nil asks the system about the folder that they are kept in.
    package init(bytes: Int? = nil, holdsClips: Bool? = nil) {
        let usual = MachineMemory.freeBytes().map { $0 / 2 } ?? 1 << 30
        self.bytes = bytes ?? max(usual, Self.legalBytes.lowerBound)
        self.holdsClips = holdsClips ?? UnnamedFile.areInMemory
    }

    /// Bytes of a clip that are kept at most.
    ///
    /// Two clips may be kept at a time, which have half of the budget where they are in memory.
    package var clipBytes: Int64 {
        holdsClips ? min(DecodedClips.byteLimit, Int64(bytes / 4)) : DecodedClips.byteLimit
    }

    /// Bytes that are left for encodes.
    package var encodeBytes: Int { holdsClips ? bytes / 2 : bytes }

    /// How many encodes of a study may run at a time: as many of the largest as the budget has room for, 1 or more.
    package func jobs(of study: Study) -> Int {
        let largest = study.points.map(\.work.expectedBytes).max() ?? 1
        return max(1, encodeBytes / max(largest, 1))
    }
}

extension PointWork {
    /// Memory that an encode of it takes, with its decoder and what compares the pictures: rounded up from what was
    /// measured of x264 and x265, which keep pictures for their lookahead, with what they need of each; and with what
    /// is not given back between one encode and the next.
    package var expectedBytes: Int {
        let slow = ["slow", "slower", "veryslow", "placebo"], fast = ["ultrafast", "superfast", "veryfast"]
        let preset = settings["Preset"] ?? ""
        var pictures = slow.contains(preset) ? 360 : fast.contains(preset) ? 190 : 200
        // A longer lookahead keeps a picture and its smaller copies for each frame more.
        for option in nativeOptions {
            let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, ProgramOption.split(parts[0]).name == "rc-lookahead", let count = Int(parts[1])
            else { continue }
            pictures += 2 * min(max(count, 0), 1000)
        }
        // Frames that threads encode beside each other.
        pictures += 8 * min(max((settings["ThreadCount"].flatMap(Int.init) ?? 1) - 1, 0), 128)
        let bytesPerSample = PixelFormat(rawValue: pixelFormat)?.bytesPerSample ?? 1
        let encode = pictures * Self.pictureBytes(width: width, height: height, bytesPerSample: bytesPerSample)
        // The clip is read twice in its own size, by decoders that keep pictures.
        let clip = scaledFrom.map {
            40 * Self.pictureBytes(width: $0.width, height: $0.height, bytesPerSample: bytesPerSample)
        }
        return encode + (clip ?? 0)
    }

    /// Bytes of a picture in 4:2:0; sides that no picture has count as the largest there are.
    private static func pictureBytes(width: Int, height: Int, bytesPerSample: Int) -> Int {
        min(max(width, 1), 65536) * min(max(height, 1), 65536) * 3 / 2 * bytesPerSample
    }
}

/// Lets encodes in as far as there is memory for them, in the order in which they ask.
package actor MemoryGate {
    private let limit: Int
    private var used = 0
    private var waiting: [(bytes: Int, turn: CheckedContinuation<Void, Never>)] = []

    /// - Parameter limit: Bytes that those inside may take together. One that takes more is let in alone.
    package init(limit: Int) { self.limit = limit }

    /// How many wait.
    var waitingCount: Int { waiting.count }

    /// Waits for room, which is taken until it is left.
    package func enter(_ bytes: Int) async {
        if waiting.isEmpty, hasRoom(for: bytes) {
            used += bytes
            return
        }
        await withCheckedContinuation { waiting.append((bytes, $0)) }
    }

    /// Gives room back.
    package func leave(_ bytes: Int) {
        used -= bytes
        while let next = waiting.first, hasRoom(for: next.bytes) {
            waiting.removeFirst()
            used += next.bytes
            next.turn.resume()
        }
    }

    private func hasRoom(for bytes: Int) -> Bool { used == 0 || used + bytes <= limit }
}

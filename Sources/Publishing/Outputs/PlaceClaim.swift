// SPDX-License-Identifier: MIT

import MediaIO
import Synchronization

/// A file or folder on disk that this process reads or writes, for as long as the claim lives.
///
/// Paths are compared before anything is opened, by ``FilePlace``; what two of them lead to may be known only once one
/// is made. Claims are compared when a file is opened, among all broadcasts of the process.
package final class PlaceClaim: Sendable {
    /// What a place is claimed for.
    package enum Use: Sendable {
        /// Reading, by many at once; the text is what it is for the program, such as "the input".
        case reading(as: String)
        /// Writing one file.
        case file
        /// Writing the files of a folder of segments.
        case segments(SegmentFolder)
    }

    private struct Entry {
        let use: Use
        /// Nil for a file that is not there yet.
        var place: FilePlace.Identity?
        /// The folder of a file, and its name there.
        let folder: FilePlace.Identity?
        let name: String

        func excludes(_ other: Entry) -> Bool {
            switch (use, other.use) {
            case (.reading, .reading): return false
            case (.segments(let segments), .file), (.segments(let segments), .reading):
                return other.folder != nil && other.folder == place && segments.writes(other.name)
            case (.file, .segments), (.reading, .segments): return other.excludes(self)
            default: return place != nil && place == other.place
            }
        }
    }

    private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    private init() {}

    deinit {
        let key = ObjectIdentifier(self)
        Self.entries.withLock { _ = $0.removeValue(forKey: key) }
    }

    /// Claims a file that is read, or a folder that is there.
    ///
    /// - Returns: Nil for what is neither a file on disk nor a folder.
    /// - Throws: ``PublishingError`` with `.invalidValue` where another claim excludes this one.
    package static func claim(_ path: String, for use: Use) throws(PublishingError) -> PlaceClaim? {
        try opening(path, for: use) {}.claim
    }

    /// Opens a file and claims it; between the two no other is opened.
    ///
    /// - Parameters:
    ///   - path: "-" for standard output.
    ///   - use: What for.
    ///   - open: Opens or makes the file; not called where another claim excludes this one.
    /// - Returns: What `open` returned; without a claim for what is neither a file on disk nor a folder.
    /// - Throws: What `open` throws, and ``PublishingError`` with `.invalidValue`.
    static func opening<Value>(
        _ path: String, for use: Use, _ open: () throws(PublishingError) -> Value
    ) throws(PublishingError) -> (value: Value, claim: PlaceClaim?) {
        let path = path == "-" ? "/dev/stdout" : path
        // Opening a pipe may wait for its reader.
        guard !FilePlace.isStream(path) else { return (try open(), nil) }
        return try entries.withLock { entries throws(PublishingError) in
            let (folder, name) = FilePlace.folderAndName(of: path)
            var entry = Entry(
                use: use, place: FilePlace.Identity(path), folder: FilePlace.Identity(folder), name: name)
            if let other = entries.values.first(where: entry.excludes) { throw refusal(other.use) }
            let value = try open()
            let claim = PlaceClaim()
            entry.place = FilePlace.Identity(path)
            entries[ObjectIdentifier(claim)] = entry
            return (value, claim)
        }
    }

    private static func refusal(_ use: Use) -> PublishingError {
        let other = if case .reading(let what) = use { "it is \(what) too" } else { "another output writes there" }
        return PublishingError(.invalidValue, reason: "\(other), expected another path")
    }
}

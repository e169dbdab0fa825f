// SPDX-License-Identifier: MIT

import MediaFiles

/// An H.264 or HEVC file, taken apart into NAL units and their fields, piece by piece.
///
/// The file's content decides what it is: a byte stream with start codes (Annex B), a stream of units with lengths of
/// four bytes, an FLV file, or a container that libavformat opens. Files of any size need little memory. Used by one
/// task or thread at a time.
///
/// ```swift
/// var inspection = try StreamInspection(path: "movie.mp4")
/// while let units = try inspection.next() {
///     for unit in units { print(unit.typeName ?? "unreadable", unit.length) }
/// }
/// ```
public struct StreamInspection {
    /// What is known before the first unit.
    public let summary: StreamSummary
    private var source: any NALUnitSource
    private var inspector: any UnitInspecting

    /// Opens a file and looks at its start.
    ///
    /// - Parameter path: The file's path; "-" is standard input.
    /// - Throws: ``StreamInspectionError`` for a file that cannot be opened, or holds neither codec.
    public init(path: String) throws(StreamInspectionError) {
        do throws(MediaFileError) {
            source = try NALUnitSources.open(path)
        } catch {
            throw StreamInspectionError(error)
        }
        summary = source.summary
        inspector = summary.codec.makeInspector()
    }

    /// Reads on.
    ///
    /// What is wrong with a unit, or with a part of the container, stands in its ``InspectedUnit/error`` and does not
    /// end the file.
    ///
    /// - Returns: The units of the next piece in the order of the file, perhaps none; nil at the end of the file.
    /// - Throws: ``StreamInspectionError`` where the file cannot be read on.
    public mutating func next() throws(StreamInspectionError) -> [InspectedUnit]? {
        do throws(MediaFileError) {
            return try source.next()?.map { inspector.inspect($0) }
        } catch {
            throw StreamInspectionError(error)
        }
    }
}

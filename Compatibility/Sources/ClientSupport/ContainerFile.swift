// SPDX-License-Identifier: MIT

public import CoreMedia
import Foundation

/// What FFmpeg finds in a file with one stream of pictures.
public struct ContainerFile: Sendable {
    /// One coded picture.
    public struct Packet: Sendable {
        /// When it is shown, as the container has it.
        public var presentationTime: CMTime
        /// When it is decoded.
        public var decodeTime: CMTime
        /// Whether the container calls it a key picture.
        public var isKey: Bool
    }

    /// Packets in the order of the file.
    public let packets: [Packet]
    /// Number of pictures that the decoder gave.
    public let decodedCount: Int
    /// What demuxer and decoder complained of; empty for a file without a fault.
    public let complaints: String

    /// Reads and decodes a file; nil, with a line on standard error, where ffprobe is not installed.
    ///
    /// - Parameter path: Of the file.
    /// - Throws: Whatever keeps ffprobe from running.
    public init?(path: String) throws {
        let asked = "packet=pts,dts,flags:stream=time_base,nb_read_frames"
        let found = try FFprobe.run(
            URL(fileURLWithPath: path), ["-count_frames", "-select_streams", "v", "-show_entries", asked])
        guard let found else { return nil }
        let stream = FFprobe.lines("stream", of: found.output).first ?? [:]
        let timescale = stream["time_base"].flatMap { $0.split(separator: "/").last }.flatMap { Int32($0) }
        func time(_ text: String?) -> CMTime {
            guard let value = text.flatMap({ Int64($0) }), let timescale else { return .invalid }
            return CMTime(value: value, timescale: timescale)
        }
        packets = FFprobe.lines("packet", of: found.output).map { fields in
            Packet(
                presentationTime: time(fields["pts"]), decodeTime: time(fields["dts"]),
                isKey: fields["flags"]?.hasPrefix("K") == true)
        }
        decodedCount = stream["nb_read_frames"].flatMap { Int($0) } ?? 0
        complaints = found.complaints
    }
}

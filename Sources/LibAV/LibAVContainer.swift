// SPDX-License-Identifier: MIT

/// A container that libavformat writes.
package enum LibAVContainer: String, Sendable, Hashable, CaseIterable {
    /// ISO base media file (MPEG-4 part 14).
    case mp4
    /// QuickTime.
    case mov
    /// Matroska.
    case matroska
    /// Flash Video.
    case flv
    /// MPEG-2 transport stream.
    case transportStream
    /// Advanced Systems Format.
    case asf

    /// The name people know it by.
    package var name: String {
        switch self {
        case .mp4: "MP4"
        case .mov: "MOV"
        case .matroska: "Matroska"
        case .flv: "FLV"
        case .transportStream: "an MPEG-2 transport stream"
        case .asf: "ASF"
        }
    }

    /// libavformat's name.
    var libAVName: String {
        switch self {
        case .transportStream: "mpegts"
        default: rawValue
        }
    }

    /// Whether it is one of the two that hold ISO base media boxes.
    package var isISO: Bool { self == .mp4 || self == .mov }

    /// Whether decode times may be negative: behind an edit list, or because the container has none.
    package var hasNegativeDecodeTimes: Bool { isISO || self == .matroska }

    /// Whether frames may share a tick of decoding: FLV, ASF and Matroska count milliseconds.
    var hasEqualDecodeTimes: Bool { self == .flv || self == .matroska || self == .asf }

    /// Whether presentation times before zero can be written.
    ///
    /// Matroska takes those of sound, whose first samples are the encoder's priming.
    func hasNegativePresentationTimes(_ isVideo: Bool) -> Bool { isISO || self == .matroska && !isVideo }
}

/// How a container is laid out.
package struct LibAVLayout: Sendable, Hashable {
    /// Whether an MP4 or MOV file is written in fragments, so that what was written stays readable without an end: each
    /// from one key frame to before the next, or of half a second where there are no pictures.
    package var isFragmented = false
    /// Whether the caller cuts the bytes into files: fragmented MP4 then ends without an index of its fragments, and
    /// a transport stream repeats its tables at each key frame, so that any file of it can be read by itself.
    package var isSegmented = false
    /// Whether FLV is written without the length and size at its start, which are completed at its end by going back.
    ///
    /// The sink is given the bytes of each packet, fragment or cluster when it is whole, with this and without.
    package var isFlushed = false
    /// Whether the sink is given bytes in pieces of ``LibAVIOContext/largeBufferSize``, and what is left of them by
    /// ``LibAVMuxer/flushBuffer()``, rather than each packet at once.
    package var isBuffered = false
    /// The longest time from the first to the last packet in a cluster of Matroska, in milliseconds, 1 or more; nil for
    /// libavformat's default of 5 s.
    package var clusterMilliseconds: Int?

    /// The whole file at once.
    package init() {}

    /// What the muxer of a container is told.
    func options(_ container: LibAVContainer, timescale: Int32, hasVideo: Bool) -> [(String, String)] {
        switch container {
        case .mp4, .mov:
            // The movie's own clock holds the start of the presentation; its default of 1000 would round it.
            [("movie_timescale", "\(timescale)")] + (isFragmented ? fragments(hasVideo: hasVideo) : [])
        case .transportStream:
            // Without mpegts_copyts the library adds its own delay to all times.
            [("mpegts_copyts", "1")] + (isSegmented ? tables(hasVideo: hasVideo) : [])
        case .matroska: clusterMilliseconds.map { [("cluster_time_limit", "\($0)")] } ?? []
        // FLV's length and size stand at its start, and are completed at its end by going back.
        case .flv: isFlushed ? [("flvflags", "no_duration_filesize")] : []
        case .asf: []
        }
    }

    private func fragments(hasVideo: Bool) -> [(String, String)] {
        // With delay_moov the header is written behind the first packets, whose times its edit list states; without,
        // there is no edit list, and all times are moved up.
        let flags = "frag_keyframe+delay_moov+default_base_moof" + (isSegmented ? "+skip_trailer" : "")
        // frag_keyframe goes by pictures only: without them nothing would be written before the end.
        return [("movflags", flags)] + (hasVideo ? [] : [("frag_duration", "500000")])
    }

    /// The program tables before each key frame; before each packet where there are no pictures.
    private func tables(hasVideo: Bool) -> [(String, String)] {
        hasVideo ? [("mpegts_flags", "pat_pmt_at_frames")] : [("pat_period", "0")]
    }
}

// SPDX-License-Identifier: MIT

import CLibAV

/// Whether the headers of an MP4 file say all of its streams that a copy asks for.
///
/// Otherwise the library reads the first packets and decodes pictures of them, which for 1080p takes 20 ms and as many
/// megabytes, to learn what a copy does not ask for.
enum StatedStreams {
    /// Whether they do, before a packet was read.
    ///
    /// That is so with one stream of H.264 or HEVC and at most one of sound, in AAC-LC: which of several is best, and
    /// how long a packet of another codec lasts, the library learns from packets alone.
    static func areEnough(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
        let all = (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0]?.pointee.codecpar }
        let video = all.filter { $0.pointee.codec_type == AVMEDIA_TYPE_VIDEO }
        let sound = all.filter { $0.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
        return video.count == 1 && sound.count <= 1 && video.allSatisfy { isStated(video: $0.pointee) }
            && sound.allSatisfy { isStated(sound: $0.pointee) }
    }

    private static func isStated(video parameters: AVCodecParameters) -> Bool {
        // Both configuration records begin with their version.
        [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC].contains(parameters.codec_id) && header(parameters).first == 1
            && parameters.width > 0 && parameters.height > 0
    }

    private static func isStated(sound parameters: AVCodecParameters) -> Bool {
        parameters.codec_id == AV_CODEC_ID_AAC && parameters.sample_rate > 0 && parameters.ch_layout.nb_channels > 0
            && isPlainAAC(header(parameters))
    }

    /// Whether an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1) is that of AAC-LC whose packets have 1024 sample
    /// frames.
    ///
    /// Up to 24 kHz packets may hold spectral band replication, which doubles the rate, without the header's word.
    static func isPlainAAC(_ header: some Collection<UInt8>) -> Bool {
        let bytes = Array(header.prefix(2))
        guard bytes.count == 2 else { return false }
        // audioObjectType (5), samplingFrequencyIndex (4), channelConfiguration (4), frameLengthFlag (1).
        let (type, rate) = (bytes[0] >> 3, (bytes[0] & 7) << 1 | bytes[1] >> 7)
        let (channels, isShort) = (bytes[1] >> 3 & 15, bytes[1] & 4 != 0)
        // What may follow says that there is no such replication: syncExtensionType 0x2b7, type 5, flag 0.
        let rest = header.dropFirst(2)
        return type == 2 && rate <= 5 && channels > 0 && !isShort
            && (rest.isEmpty || rest.elementsEqual([0x56, 0xE5, 0]))
    }

    private static func header(_ parameters: AVCodecParameters) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: parameters.extradata, count: Int(max(parameters.extradata_size, 0)))
    }
}

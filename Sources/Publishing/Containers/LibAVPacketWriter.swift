// SPDX-License-Identifier: MIT

import EncoderAPI
import LibAV

/// Writes a container through libavformat.
final class LibAVPacketWriter: PacketWriter {
    private let muxer: LibAVMuxer
    private let sink: Sink
    private let container: Container
    private let carriesSets: Bool

    /// Bytes of a packet that fit a tag of FLV, whose own header takes five more.
    private static let largestInFLV = 1 << 24 - 1 - 5

    /// Hands the muxer's bytes to a target, whose errors it keeps.
    private final class Sink: LibAVSink {
        let target: any ByteTarget
        var failure: PublishingError?

        init(_ target: any ByteTarget) { self.target = target }

        var canSeek: Bool { target.canSeek }

        func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
            // After a failure the library may go on to write what it holds.
            guard failure == nil else { return false }
            do throws(PublishingError) {
                try target.write(bytes)
                return true
            } catch {
                failure = error
                return false
            }
        }

        func seek(offset: Int64, whence: CInt) -> Int64? {
            do throws(PublishingError) {
                return try target.seek(offset: offset, whence: whence)
            } catch {
                failure = error
                return nil
            }
        }
    }

    /// Writes the container's header, as far as it is known before the first packet.
    ///
    /// - Throws: ``PublishingError`` with `.unsupported`, or what the target threw.
    init(
        _ container: Container, of libAVContainer: LibAVContainer, formats: [TrackFormat], to target: any ByteTarget,
        options: ContainerOptions
    ) throws(PublishingError) {
        self.container = container
        carriesSets = options.carriesParameterSets
        var layout = LibAVLayout()
        layout.isFragmented = container.isFragmented
        layout.isSegmented = options.isSegmented
        layout.isFlushed = true
        layout.isBuffered = target.takesBytesLate
        layout.clusterMilliseconds = 500
        let tracks = formats.map { Self.track($0, in: container, options) }
        let sink = Sink(target)
        self.sink = sink
        muxer = try Self.calling(sink) { () throws(LibAVError) in
            try LibAVMuxer(sink, container: libAVContainer, tracks: tracks, layout: layout)
        }
    }

    private static func track(
        _ format: TrackFormat, in container: Container, _ options: ContainerOptions
    ) -> LibAVTrack {
        switch format {
        case .video(let video):
            let isAnnexB = container == .transportStream
            // Decoders show the coded size less an even crop.
            var track = LibAVTrack(
                .video(
                    video.codec, width: video.width + video.width % 2, height: video.height + video.height % 2,
                    nominalDuration: nil),
                header: isAnnexB ? video.annexB : video.configurationRecord, timescale: options.videoTimescale)
            track.hasSetsInBand = options.carriesParameterSets
            track.rotation = options.rotation
            return track
        case .audio(let audio):
            return LibAVTrack(
                .audio(
                    audio.codec == .aac ? .aac : .opus, rate: audio.sampleRate, channels: audio.channelCount,
                    frameSize: audio.framesPerPacket, priming: audio.priming),
                header: audio.configuration, timescale: Int32(clamping: audio.sampleRate))
        }
    }

    func timescale(_ track: Int) -> Int32 { muxer.timescale(track: track) }

    func write(
        _ packet: MediaPacket, _ ticks: ContainerClock.Ticks, track: Int, isFormatNew: Bool
    ) throws(PublishingError) {
        let bytes = try Self.calling(sink) { () throws(LibAVError) in try framed(packet, isFormatNew: isFormatNew) }
        // libavformat writes the tag's header before it finds that the size does not fit its 24 bits.
        guard container != .flv || bytes.count <= Self.largestInFLV else {
            throw PublishingError(
                .unsupported, reason: "a packet of \(bytes.count) bytes in FLV, expected \(Self.largestInFLV) at most")
        }
        try Self.calling(sink) { () throws(LibAVError) in
            let ticks = LibAVMuxer.Ticks(
                presentation: ticks.presentation, decode: ticks.decode, duration: ticks.duration)
            try muxer.write(
                bytes, ticks, isKey: packet.isKey,
                isDisposable: packet.isDisposable, track: track,
                newHeader: isFormatNew && container == .flv ? Self.header(packet.format) : nil)
        }
    }

    /// The bytes as the container holds them.
    private func framed(_ packet: MediaPacket, isFormatNew: Bool) throws(LibAVError) -> PacketBytes {
        // The formats of sound, which is most packets of a stream, are not looked at: counting references to what
        // several threads share takes longer than all the rest here.
        guard packet.track.kind == .video, let format = packet.format.video else { return packet.bytes }
        let framing = AccessUnitFraming(format, data: packet.bytes, nalUnits: packet.nalUnits)
        let isSync = packet.isKey || isFormatNew
        return container == .transportStream
            ? PacketBytes(framing.annexB(carryingSets: isSync, delimited: true))
            : try framing.lengthPrefixed(carryingSets: carriesSets && isSync)
    }

    private static func header(_ format: TrackFormat) -> [UInt8] {
        switch format {
        case .video(let format): format.configurationRecord
        case .audio(let format): format.configuration
        }
    }

    func settle() throws(PublishingError) {
        try Self.calling(sink) { () throws(LibAVError) in muxer.flushBuffer() }
    }

    func finish() throws(PublishingError) {
        try Self.calling(sink) { () throws(LibAVError) in try muxer.finish() }
    }

    /// Calls the library, which only knows as a number why the target took no bytes.
    private static func calling<Value>(
        _ sink: Sink, _ body: () throws(LibAVError) -> Value
    ) throws(PublishingError) -> Value {
        let result = Result { () throws(LibAVError) in try body() }
        if let failure = sink.failure { throw failure }
        do throws(LibAVError) {
            return try result.get()
        } catch {
            throw PublishingError(error)
        }
    }
}

extension PublishingError {
    /// What a library of FFmpeg refused.
    init(_ error: LibAVError) {
        let code: Code =
            switch error.code {
            case .libraryMissing: .libraryMissing
            case .unsupported: .unsupported
            case .invalidValue, .corrupt: .invalidValue
            case .outOfMemory: .outOfMemory
            case .failure: .libraryFailure
            }
        self.init(code, reason: error.reason, status: error.status)
    }
}

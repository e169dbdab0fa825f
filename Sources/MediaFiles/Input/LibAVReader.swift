// SPDX-License-Identifier: MIT

import CLibAV
package import EncoderAPI
import LibAV
import ParameterSets

/// Reads any file that libavformat and libavcodec decode; gives 4:2:0, converted where the video is something else.
package final class LibAVReader: VideoSource {
    package private(set) var info: VideoSourceInfo
    private let av: CLibAV
    private let demuxer: LibAVDemuxer
    private let decoder: LibAVDecoder
    private let packet: LibAVPacket
    private var converter: (any FrameConverter)?
    private var sourceFormat: AVPixelFormat
    /// Times made from the frame rate, where the file has none.
    private let clock: FrameClock?
    private var index = 0
    private var lastTime: MediaTime?
    private var lastByteOffset: Int64?
    /// What the pictures' times have more than the file's: where its first picture is shown before 0.
    package private(set) var timeOffset = MediaTime.zero
    /// The first picture's time where it is before 0.
    private var start: MediaTime?
    /// The first picture, which was decoded to know the format.
    private var firstFrame: LibAVFrame?
    /// Whether a picture was given; pictures that are left out come before it.
    private var isStarted = false
    private var isDraining = false
    private var packetCount = 0
    /// Whether the file has times: elementary streams have none.
    private var isTimed = true
    /// Packets whose pictures the container does not want shown.
    private var hiddenPackets = 0
    /// Said of the pictures that were left out so far.
    private var leftOutNote: String?
    /// Thrown when the pictures that came before it are delivered.
    private var failure: MediaFileError?
    private var isFailureDue = false

    /// Opens the video and decodes its first picture.
    ///
    /// - Parameter file: Read from where it is; a pipe will do where the format allows it.
    /// - Throws: ``MediaFileError``.
    package init(_ file: InputFile) throws(MediaFileError) {
        let demuxer = try LibAVDemuxer(file)
        let av = demuxer.av
        self.demuxer = demuxer
        self.av = av
        packet = try MediaFileError.wrapping { () throws(LibAVError) in try LibAVPacket(av) }
        decoder = try MediaFileError.wrapping { () throws(LibAVError) in
            try LibAVDecoder(av, codec: demuxer.codecID) { context in
                context.pointee.pkt_timebase = demuxer.stream.pointee.time_base
                return av.avcodec_parameters_to_context(context, demuxer.stream.pointee.codecpar)
            }
        }
        clock = demuxer.hasNoTimes ? FrameClock(demuxer.frameRate) : nil
        sourceFormat = AV_PIX_FMT_NONE
        info = VideoSourceInfo(
            formatName: "\(demuxer.formatName), \(demuxer.codecName)", pixelFormat: .i420, width: 0, height: 0,
            frameRate: clock?.rate ?? demuxer.frameRate,
            timescale: clock?.timescale ?? demuxer.stream.pointee.time_base.den)
        guard let frame = try nextFrame() else {
            throw failure
                ?? MediaFileError(
                    .corrupt, reason: "no picture can be decoded", path: file.path, byteOffset: demuxer.byteOffset)
        }
        try describe(frame)
        let first = clock == nil && isTimed ? demuxer.time(frame.pointer.pointee.best_effort_timestamp) : nil
        if let first, first < .zero { timeOffset = .zero - first }
        firstFrame = frame
    }

    package var byteOffset: Int64 { demuxer.byteOffset }

    package func next() throws(MediaFileError) -> SourceFrame? {
        if isFailureDue, let failure { throw failure }
        do throws(MediaFileError) {
            let frame = firstFrame
            firstFrame = nil
            if let frame { return try sourceFrame(frame) }
            if let frame = try nextFrame() { return try sourceFrame(frame) }
        } catch {
            // A picture that cannot be given ends the video, whatever would come after it.
            failure = error
        }
        guard let failure else { return nil }
        isFailureDue = true
        throw failure
    }
}

// MARK: - Decoding

extension LibAVReader {
    /// The next decoded picture; nil at the end, with ``failure`` set when the end came too early.
    ///
    /// - Throws: ``MediaFileError`` with `.corrupt` for the first damage, which ends the video.
    private func nextFrame() throws(MediaFileError) -> LibAVFrame? {
        while true {
            switch try MediaFileError.wrapping({ () throws(LibAVError) in try decoder.receive() }) {
            case .frame(let frame) where !isStarted && decoder.leftOutPictures > 0 && frame.isGivenAtEnd:
                // The library marks no picture that it gives at the end.
                decoder.leaveOut(frame)
            case .frame(let frame):
                // The picture needs an earlier packet, or comes after its picture.
                if let damage = decoder.firstDamage(through: frame.packetNumber) { throw damaged(damage) }
                // At its end the decoder gives what it held to bring pictures into order: those of missing packets may
                // belong among them.
                if failure != nil, frame.isGivenAtEnd { return nil }
                isStarted = true
                return frame
            case .ended:
                if let damage = decoder.firstDamage() { throw damaged(damage) }
                if failure == nil { noteEnd() }
                return nil
            case .failed: throw undecodable()
            case .needsData: try sendPacket()
            }
        }
    }

    private func sendPacket() throws(MediaFileError) {
        guard !isDraining else { throw undecodable() }
        do throws(MediaFileError) {
            guard try demuxer.read(into: packet) else { return try drain() }
            guard !packet.isDamaged else {
                throw MediaFileError(
                    .truncated, reason: "data is missing", path: demuxer.path,
                    byteOffset: packet.byteOffset ?? demuxer.byteOffset)
            }
        } catch {
            // Kept until the pictures before it are delivered.
            failure = error
            return try drain()
        }
        if packet.isHidden { hiddenPackets += 1 }
        if packetCount == 0 { isTimed = packet.isTimed }
        // A number as decode time tells pictures given in time from those given at the end, which have none.
        if !isTimed { packet.pointer.pointee.dts = Int64(packetCount) }
        packetCount += 1
        if decoder.send(packet) < 0 { throw undecodable() }
    }

    private func drain() throws(MediaFileError) {
        isDraining = true
        if decoder.send(nil) < 0 { throw undecodable() }
    }

    private func undecodable() -> MediaFileError {
        if let damage = decoder.firstDamage() { return damaged(damage) }
        return MediaFileError(
            .corrupt, reason: "what follows picture \(index) cannot be decoded", path: demuxer.path,
            byteOffset: lastByteOffset ?? demuxer.byteOffset)
    }

    private func damaged(_ damage: LibAVDecoder.Damage) -> MediaFileError {
        MediaFileError(
            .corrupt, reason: "packet \(damage.packet) of the video is damaged: \(damage.text)", path: demuxer.path,
            byteOffset: damage.byteOffset)
    }

    /// Says how many pictures are left out so far.
    private func noteLeftOut() {
        guard decoder.leftOutPictures > 0 else { return }
        let text = "\(decoder.leftOutPictures) pictures that cannot be decoded, before a key frame, are left out"
        info.conversions.removeAll { $0 == leftOutNote }
        info.conversions.append(text)
        leftOutNote = text
    }

    private func noteEnd() {
        noteLeftOut()
        let shown = packetCount - hiddenPackets
        let missing = shown - index - decoder.leftOutPictures
        if missing > 0 { note("\(missing) of the \(shown) packets of the video give no picture") }
    }
}

// MARK: - Pictures

extension LibAVReader {
    /// Fills in what the first picture shows.
    private func describe(_ frame: LibAVFrame) throws(MediaFileError) {
        for (name, side) in [("width", frame.width), ("height", frame.height)] where !(1...65535).contains(side) {
            throw MediaFileError(.unsupported, reason: "\(name) \(side), expected 1...65535", path: demuxer.path)
        }
        info.width = frame.width
        info.height = frame.height
        sourceFormat = frame.pixelFormat
        info.color = frame.color
        if let format = frame.nativeFormat {
            info.pixelFormat = format
        } else {
            let converter = try frame.converter(av, path: demuxer.path)
            info.pixelFormat = converter.format
            info.color = converter.color
            info.conversions.append(converter.summary)
            self.converter = converter
        }
        if let rotation = demuxer.rotation {
            info.conversions.append("the display rotation of \(rotation) degrees is not applied")
        }
        if let clock {
            info.conversions.append("the format has no times; they follow from \(clock.rate) frames per second")
        }
        let location = frame.pointer.pointee.chroma_location
        // Converted pictures have them where both converters put them: left.
        if converter == nil, location != AVCHROMA_LOC_UNSPECIFIED {
            info.chromaSampleLocation = Int(location.rawValue) - 1
        }
        describeHDR(frame)
        if !demuxer.otherStreams.isEmpty {
            info.omissions.append(
                "beside the video, nothing is carried over: \(demuxer.otherStreams.joined(separator: ", "))")
        }
        info.pixelAspectRatio = demuxer.pixelAspectRatio(frame.pointer)
        let stated = demuxer.stream.pointee.nb_frames
        info.frameCount = stated > 0 ? Int(stated) : nil
        info.isLossy = demuxer.isLossy
        info.bitRate = info.isLossy ? demuxer.bitRate : nil
    }

    /// Fills in what is known of the display that the video was mastered on; the video's word comes before the
    /// container's.
    private func describeHDR(_ frame: LibAVFrame) {
        let display =
            frame.sideData(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, as: AVMasteringDisplayMetadata.self)
            ?? demuxer.sideData(AV_PKT_DATA_MASTERING_DISPLAY_METADATA, as: AVMasteringDisplayMetadata.self)
        let light =
            frame.sideData(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, as: AVContentLightMetadata.self)
            ?? demuxer.sideData(AV_PKT_DATA_CONTENT_LIGHT_LEVEL, as: AVContentLightMetadata.self)
        info.add(display, light)
        if frame.hasSideData(AV_FRAME_DATA_DYNAMIC_HDR_PLUS, AV_FRAME_DATA_DOVI_RPU_BUFFER) {
            info.omissions.append("its HDR metadata that changes from picture to picture is not carried over")
        }
    }

    private func sourceFrame(_ frame: LibAVFrame) throws(MediaFileError) -> SourceFrame {
        func refused(_ code: MediaFileError.Code, _ reason: String) -> MediaFileError {
            MediaFileError(
                code, reason: "picture \(index) \(reason)", path: demuxer.path,
                byteOffset: frame.byteOffset ?? demuxer.byteOffset)
        }
        guard !clibav_is_interlaced(frame.pointer) else {
            throw refused(.unsupported, "is interlaced, expected progressive video")
        }
        guard !frame.isDamaged else { throw refused(.corrupt, "is damaged: the decoder concealed errors") }
        guard frame.width == info.width, frame.height == info.height, frame.pixelFormat == sourceFormat else {
            throw refused(
                .unsupported,
                "is \(frame.width)x\(frame.height) of \(frame.pixelFormatName), expected "
                    + "\(info.width)x\(info.height) and a format that does not change")
        }
        let time = increasing(try presentationTime(frame, refused))
        guard let picture = try convert(frame) else {
            throw refused(.unsupported, "has rows that lie in an unusual order")
        }
        let ticks = clibav_duration(frame.pointer)
        let duration = clock?.duration ?? (ticks > 0 ? demuxer.time(ticks) : nil)
        lastTime = time
        lastByteOffset = frame.byteOffset
        index += 1
        noteLeftOut()
        return SourceFrame(
            picture: picture, presentationTime: time, duration: duration, byteOffset: frame.byteOffset)
    }

    /// A picture's time, put right where the file's is not after the one before, or starts before 0.
    private func increasing(_ stated: MediaTime) -> MediaTime {
        if lastTime == nil, stated < .zero {
            note("the pictures start at \(stated); they are timed from 0 on")
            start = stated
        }
        let time = start.map { stated - $0 } ?? stated
        guard let lastTime, time <= lastTime else { return time }
        note(
            "times of pictures do not increase everywhere; those are moved to 1 ms, or one tick where that is longer, after the picture before"
        )
        return lastTime + MediaTime(value: (Int64(lastTime.timescale) + 999) / 1000, timescale: lastTime.timescale)
    }

    private func note(_ conversion: String) {
        if !info.conversions.contains(conversion) { info.conversions.append(conversion) }
    }

    private func convert(_ frame: LibAVFrame) throws(MediaFileError) -> PixelBuffer? {
        if let converter { return try converter.convert(frame) }
        return try MediaFileError.wrapping { () throws(LibAVError) in try frame.picture() }
    }

    private func presentationTime(
        _ frame: LibAVFrame, _ refused: (MediaFileError.Code, String) -> MediaFileError
    ) throws(MediaFileError) -> MediaTime {
        if let clock { return clock.time(index) }
        if isTimed, let time = demuxer.time(frame.pointer.pointee.best_effort_timestamp) { return time }
        // A gap in an otherwise timed file is bridged by the frame rate, in the stream's ticks.
        guard let duration = FrameClock(info.frameRate)?.duration else { throw refused(.corrupt, "has no time") }
        let step = MediaTime(value: max(duration.ticks(timescale: info.timescale), 1), timescale: info.timescale)
        return lastTime.map { $0 + step } ?? MediaTime(value: 0, timescale: info.timescale)
    }
}

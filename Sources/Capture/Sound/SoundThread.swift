// SPDX-License-Identifier: MIT

import CLibAV
import EncoderAPI
import Glibc
import LibAV

/// Reads a source's sound, on the thread that it is made on.
final class SoundThread {
    private let source: CaptureSource
    private let options: CaptureOptions
    private let mailbox: Mailbox<Void, CapturedSound>
    private let desk: PictureDesk
    private let request: DeviceRequest
    private let device: LibAVDevice
    private let decoder: LibAVDecoder
    private let packet: LibAVPacket
    /// The times of a graph.
    private var clock = StampClock()
    /// The times of a card; nil before its first piece.
    private var soundClock: SoundClock?
    private var position: Int64 = 0
    /// Pieces of a card that wait for its clock to be known.
    private var unstamped: [CapturedSound] = []
    private var firstArrival: Int64?

    /// How long a card is listened to before its first piece is given, in microseconds: as long again as its clock lets
    /// the server's stamps settle.
    private static let listening = 2 * SoundClock.settling

    /// Opens the source.
    init(
        _ source: CaptureSource, _ options: CaptureOptions, _ mailbox: Mailbox<Void, CapturedSound>,
        _ desk: PictureDesk
    ) throws(CaptureError) {
        (self.source, self.options, self.mailbox, self.desk) = (source, options, mailbox, desk)
        request = try DeviceRequest(soundOf: source)
        let device = try request.open(source)
        self.device = device
        (decoder, packet) = try CaptureError.wrapping(source) { () throws(LibAVError) in
            let parameters = device.stream.pointee.codecpar
            let decoder = try LibAVDecoder(device.av, codec: parameters?.pointee.codec_id ?? AV_CODEC_ID_NONE) {
                device.av.avcodec_parameters_to_context($0, parameters)
            }
            return (decoder, try LibAVPacket(device.av))
        }
    }

    /// Reads until the end, or until nobody wants more.
    ///
    /// - Throws: What ended the source.
    func run() throws(CaptureError) {
        let isLive = source.kind != .lavfi
        if !isLive {
            mailbox.open(())
            guard mailbox.waitForStart() else { return }
            let now = StampClock.Reading.now.monotonic
            clock = StampClock(origin: options.origin?.microseconds(now: now) ?? now, isOwn: true)
        }
        while !mailbox.isStopped {
            switch device.read(into: packet) {
            case .nothing: usleep(1000)
            case .ended: return
            case .failed(let status):
                throw request.fault(of: source, status: status, text: device.complaint).ending
            case .packet:
                desk.giveSign()
                let now = StampClock.Reading.now
                let time = isLive ? 0 : clock.time(of: device.microseconds(packet), now: now)
                guard let sound = try sound(time) else { continue }
                if isLive {
                    for sound in stamped(sound, now) { guard put(sound) else { return } }
                } else {
                    guard wait(until: sound.time), put(sound) else { return }
                }
            }
        }
    }

    /// Pieces of a card with their times.
    private func stamped(_ sound: CapturedSound, _ now: StampClock.Reading) -> [CapturedSound] {
        var clock = soundClock ?? SoundClock(sampleRate: sound.sampleRate)
        defer { soundClock = clock }
        // The library stamps with the time of day.
        let stamp = device.microseconds(packet).map { $0 &+ (now.monotonic - now.wall) }
        clock.arrive(frameCount: sound.frameCount, stamp: stamp, now: now.monotonic)
        unstamped.append(sound)
        let first = firstArrival ?? now.monotonic
        firstArrival = first
        guard now.monotonic - first >= Self.listening else { return [] }
        if position == 0 { mailbox.open(()) }
        return exchange(&unstamped, with: []).map { sound in
            var sound = sound
            sound.time = MediaTime(value: clock.time(of: position), timescale: 1_000_000)
            position += Int64(sound.frameCount)
            return sound
        }
    }

    private func put(_ sound: CapturedSound) -> Bool {
        defer { desk.giveSign() }
        return mailbox.put(sound)
    }

    /// Waits until a graph's sound is due.
    private func wait(until time: MediaTime) -> Bool {
        guard options.isPaced else { return !mailbox.isStopped }
        while !mailbox.isStopped {
            let rest = time.value - StampClock.Reading.now.monotonic
            guard rest > 0 else { return true }
            usleep(UInt32(min(rest, 10_000)))
            desk.giveSign()
        }
        return false
    }

    /// The samples of the packet; nil for one without any.
    private func sound(_ time: Int64) throws(CaptureError) -> CapturedSound? {
        var piece: CapturedSound?
        guard decoder.send(packet) >= 0 else { return nil }
        while case .frame(let frame) = try CaptureError.wrapping(
            source, { () throws(LibAVError) in try decoder.receive() })
        {
            let raw = frame.pointer.pointee
            guard raw.nb_samples > 0, raw.sample_rate > 0 else { continue }
            guard let decoded = DecodedSound(frame) else {
                throw CaptureError(
                    .unsupported, reason: "samples of format \(raw.format), expected one that libavcodec decodes to",
                    source: source.description)
            }
            if piece == nil {
                piece = CapturedSound(
                    samples: decoded.samples, channelCount: decoded.channelCount, sampleRate: Int(raw.sample_rate),
                    time: MediaTime(value: time, timescale: 1_000_000))
            } else {
                piece?.samples += decoded.samples
            }
        }
        return piece
    }
}

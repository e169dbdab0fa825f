// SPDX-License-Identifier: MIT

import CLibAV
import EncoderAPI
import Glibc
import LibAV
import Synchronization

/// Reads a device's pictures, on the thread that it is made on.
final class PictureThread {
    private let source: CaptureSource
    private let options: CaptureOptions
    private let mailbox: Mailbox<CapturedFormat, CapturedPicture>
    private let desk: PictureDesk
    private let request: DeviceRequest
    private let device: LibAVDevice
    private let decoder: FrameDecoder
    private let packet: LibAVPacket
    private var clock: StampClock
    private var pace: FramePace
    private var doubt = Doubt()
    private var gate: DarkGate
    private var maker: PictureMaker?
    private var ownPool: PixelBufferPool?
    /// The picture whose duration is not known yet.
    private var held: CapturedPicture?
    private var lastArrival = ContinuousClock.now

    /// Opens the device.
    init(
        _ source: CaptureSource, _ options: CaptureOptions, _ mailbox: Mailbox<CapturedFormat, CapturedPicture>,
        _ desk: PictureDesk
    ) throws(CaptureError) {
        (self.source, self.options, self.mailbox, self.desk) = (source, options, mailbox, desk)
        request = try DeviceRequest(picturesOf: source, options)
        let device = try request.open(source)
        self.device = device
        decoder = try FrameDecoder(device, source)
        packet = try CaptureError.wrapping(source) { () throws(LibAVError) in try LibAVPacket(device.av) }
        clock = StampClock(isBeforehand: source.kind == .x11)
        pace = FramePace(interval: nil)
        gate = DarkGate(options.darkFrames)
    }

    /// Reads until the end, or until nobody wants more.
    ///
    /// - Throws: What ended the device.
    func run() throws(CaptureError) {
        do throws(CaptureError) {
            try readAll()
        } catch {
            giveHeld()
            throw error
        }
        giveHeld()
    }

    private func giveHeld() {
        if let held = exchange(&held, with: nil) { _ = put(held) }
    }

    private func readAll() throws(CaptureError) {
        // A graph does not go on by itself: its first frames are kept until they are wanted.
        let isLive = source.kind != .lavfi
        while !mailbox.isStopped {
            guard try read() else { return }
            let frames = try arrived(isLive)
            for (frame, time) in frames {
                if maker == nil { try open(frame) }
                if isLive, !mailbox.isStarted { continue }
                if !isLive { guard wait(until: time) else { return } }
                guard try give(frame, time) else { return }
            }
        }
    }

    /// Reads the next packet; waits for it.
    ///
    /// - Returns: False at the end, or where nobody wants more.
    private func read() throws(CaptureError) -> Bool {
        while !mailbox.isStopped {
            let reading = device.read(into: packet)
            desk.giveSign()
            switch reading {
            case .packet:
                lastArrival = .now
                return true
            case .nothing:
                guard .now - lastArrival < options.longestSilence else {
                    throw CaptureError(
                        .timedOut, reason: "it gave no picture for \(options.longestSilence)",
                        source: source.description)
                }
                usleep(Self.pause)
            case .ended: return false
            case .failed(let status):
                throw request.fault(of: source, status: status, text: device.complaint).ending
            }
        }
        return false
    }

    /// Microseconds from one look for a frame to the next.
    private static let pause: UInt32 = 1000

    /// The pictures of the packet, each with its time.
    private func arrived(_ isLive: Bool) throws(CaptureError) -> [(frame: LibAVFrame, time: Int64)] {
        if !isLive, maker != nil, clock.kind == nil { startOwnClock() }
        let now = StampClock.Reading.now
        let stamp = device.microseconds(packet)
        guard packet.pointer.pointee.size > 0, !packet.isDamaged else {
            desk.statistics.withLock { $0.damaged += 1 }
            return []
        }
        if source.kind == .x11, !doubt.isKnown(clock.age(of: stamp, now: now)) {
            // It counts as lost where it was due.
            return []
        }
        // The first picture of a graph is decoded to know its format before its clock starts.
        let time = maker == nil && !isLive ? 0 : clock.time(of: stamp, now: now)
        let frames = try decoder.decode(packet, at: time)
        let damaged = decoder.takeDamaged()
        if damaged > 0 { desk.statistics.withLock { $0.damaged += damaged } }
        guard maker == nil, !isLive, let first = frames.first else { return frames }
        try open(first.frame)
        guard mailbox.waitForStart() else { return [] }
        lastArrival = .now
        startOwnClock()
        return frames.map { ($0.frame, clock.time(of: stamp, now: .now)) }
    }

    /// Lets the clock of a graph begin now, or where its origin is.
    private func startOwnClock() {
        let now = StampClock.Reading.now
        clock = StampClock(origin: options.origin?.microseconds(now: now.monotonic) ?? now.monotonic, isOwn: true)
    }

    /// Says what the pictures are like.
    private func open(_ frame: LibAVFrame) throws(CaptureError) {
        let maker = try PictureMaker(frame, source)
        let format = CapturedFormat(
            width: frame.width, height: frame.height, pixelFormat: maker.path.format,
            color: maker.path.color(frame.color), rate: device.rate ?? request.rate,
            deviceFormat: "\(decoder.codecName), \(frame.pixelFormatName)")
        do throws(EncoderError) {
            ownPool = try PixelBufferPool(
                format: format.pixelFormat, width: format.width, height: format.height, color: format.color)
        } catch {
            throw CaptureError(.unsupported, reason: error.reason, source: source.description)
        }
        let rate = format.rate?.framesPerSecond ?? 0
        pace = FramePace(interval: rate > 0 ? 1_000_000 / rate : nil)
        self.maker = maker
        mailbox.open(format)
    }

    /// Waits until a graph's frame is due.
    ///
    /// - Returns: Whether it is wanted.
    private func wait(until time: Int64) -> Bool {
        guard options.isPaced else { return !mailbox.isStopped }
        while !mailbox.isStopped {
            let rest = time - StampClock.Reading.now.monotonic
            guard rest > 0 else { return true }
            usleep(UInt32(min(rest, 10_000)))
            desk.giveSign()
        }
        return false
    }

    /// Hands a picture over, unless it is one of those that are left out.
    ///
    /// - Returns: Whether more are wanted.
    private func give(_ frame: LibAVFrame, _ time: Int64) throws(CaptureError) -> Bool {
        guard let maker, let pool = desk.pool.withLock({ $0 }) ?? ownPool else { return false }
        guard case .shown(let previous) = pace.note(time) else {
            note()
            return true
        }
        let (picture, mean) = try maker.make(frame, in: pool, needsMean: gate.needsMean, source)
        let passes = gate.passes(time) { mean }
        note()
        guard passes else { return true }
        let captured = CapturedPicture(picture: picture, time: MediaTime(value: time, timescale: 1_000_000))
        guard options.knowsDurations else { return put(captured) }
        let before = held
        held = captured
        guard var before else { return true }
        before.duration = previous.map { MediaTime(value: $0, timescale: 1_000_000) }
        return put(before)
    }

    private func put(_ picture: CapturedPicture) -> Bool {
        let isWanted = mailbox.put(picture)
        if isWanted { desk.statistics.withLock { $0.given += 1 } }
        // Time that the reader took is not the device's.
        lastArrival = .now
        desk.giveSign()
        return isWanted
    }

    private func note() {
        desk.statistics.withLock { statistics in
            statistics.lost = pace.lost
            statistics.surplus = pace.surplus
            statistics.dark = gate.skipped
            statistics.isNeverSteady = gate.isGivenUp
        }
    }
}

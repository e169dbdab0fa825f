// SPDX-License-Identifier: MIT

public import EncoderAPI
import Glibc
public import Logging
import Synchronization

/// Puts devices behind encoders that work inside their calls: what these give out at once is in flight then, and comes
/// out on the device's own time, one picture after the other.
public struct PretendedDevice: EncoderBackend {
    /// What may be wrong with a device.
    public enum Flaw: Sendable, CaseIterable {
        /// A picture comes out when another one went in.
        case waitsForTheNext
        /// Who collects waits for the picture whatever the deadline says; the first one takes 400 ms.
        case ignoresDeadlines
        /// Nothing comes out any more.
        case stopsAnswering
        /// Whoever collects is told that the device is lost.
        case losesItsContext
        /// Identities are others each time encoders are listed.
        case changesIdentities
        /// The first encoder opens, whichever was named.
        case opensTheFirst
        /// It reads a surface when the picture comes out, and does not hold it until then.
        case readsLateSurfaces
    }

    private let backend: any EncoderBackend
    /// Pictures that may be in flight.
    public var depth = 3
    /// How long the device works on a picture.
    public var latency = Duration.milliseconds(1)
    /// How long its encoder says that a picture may take.
    public var patience = Duration.seconds(10)
    /// The devices, each with all encoders behind them.
    public var devices = ["pretended0"]
    /// Devices that do not open.
    public var brokenDevices: Set<String> = []
    /// What happens while encoders are listed.
    public var listing: @Sendable () -> Void = {}
    /// How long a device takes to open.
    public var opening = Duration.zero
    /// How long a device takes to close.
    public var closing = Duration.zero
    /// Whether it has surfaces of its own, and reads them and DMA-BUFs without a copy.
    public var hasSurfaces = false
    /// What is wrong with it, if anything.
    public var flaw: Flaw?
    /// Pictures that come out before the flaw shows.
    public var soundPictures = 0
    /// What the device was asked to do.
    public let log = Log()

    /// Makes a device that works at once and without fault.
    public init(_ backend: any EncoderBackend) { self.backend = backend }

    /// What tests ask about afterwards.
    public final class Log: Sendable {
        private struct Notes {
            var mostInFlight = 0
            var read: [PixelBuffer.Kind: Int] = [:]
        }

        private let openings = Mutex<[String]>([])
        private let listings = Atomic(0)
        private let notes = Mutex(Notes())

        /// The most pictures that were in flight.
        public var mostInFlight: Int { notes.withLock { $0.mostInFlight } }

        /// Pictures that were read where they are.
        public var read: [PixelBuffer.Kind: Int] { notes.withLock { $0.read } }

        fileprivate func note(inFlight count: Int) {
            notes.withLock { $0.mostInFlight = max($0.mostInFlight, count) }
        }

        fileprivate func note(read kind: PixelBuffer.Kind) { notes.withLock { $0.read[kind, default: 0] += 1 } }
        /// The devices that were opened, or should have been, in order.
        public var opened: [String] { openings.withLock { $0 } }
        /// How often encoders were listed.
        public var listed: Int { listings.load(ordering: .relaxed) }

        fileprivate func note(opening device: String) { openings.withLock { $0.append(device) } }
        fileprivate func noteListing() -> Int { listings.add(1, ordering: .relaxed).newValue }
    }

    /// "pretended".
    public let identifier = "pretended"

    /// What a lost device says.
    public static let loss = EncoderError(.backendFailure, reason: "the pretended device lost its context", status: 9)

    /// What a broken device says.
    public static let breakage = EncoderError(.backendFailure, reason: "the pretended device does not open", status: 8)

    /// The encoders of each device.
    public func listEncoders() throws(EncoderError) -> [EncoderDescription] {
        let count = log.noteListing()
        listing()
        var all = try paired.map(\.encoder)
        if flaw == .changesIdentities {
            for index in all.indices { all[index].id = EncoderID(rawValue: "\(all[index].id)#\(count)") }
        }
        return all
    }

    /// As the encoder behind.
    public func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        try backend.check(settings, for: try behind(encoder))
    }

    /// Opens the encoder, and the device.
    public func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        var (encoder, settings) = (encoder, settings)
        if flaw == .opensTheFirst, let first = try paired.first?.encoder {
            encoder = first
            settings.request.codec = first.codec
        }
        let device = encoder.device ?? ""
        log.note(opening: device)
        sleep(until: .now + opening)
        if brokenDevices.contains(device) { throw Self.breakage }
        let opened = DeviceEncoder(
            self, try backend.makeEncoder(try behind(encoder), settings: settings, logger: logger))
        if hasSurfaces { opened.surfaces = SurfacePool(settings) }
        return opened
    }

    /// The encoders of the devices, each with the one behind it.
    private var paired: [(encoder: EncoderDescription, behind: EncoderDescription)] {
        get throws(EncoderError) {
            let all = try backend.listEncoders()
            return devices.flatMap { device in
                all.map { behind in
                    var encoder = behind
                    encoder.id = EncoderID(rawValue: "\(identifier).\(device).\(behind.id)")
                    encoder.device = device
                    encoder.isHardwareAccelerated = true
                    if hasSurfaces { encoder.capabilities.directPictureKinds = [.memory, .dmaBuf, .surface] }
                    return (encoder, behind)
                }
            }
        }
    }

    private func behind(_ encoder: EncoderDescription) throws(EncoderError) -> EncoderDescription {
        let id = encoder.id.rawValue.prefix { $0 != "#" }
        if let found = try paired.first(where: { $0.encoder.id.rawValue == id }) { return found.behind }
        throw EncoderError(.noEncoder, reason: "the pretended devices have no \(encoder)")
    }
}

private final class DeviceEncoder: FrameEncoder {
    /// An output with the time from which the device has it.
    private struct Pending {
        let output: StoredOutput
        let due: ContinuousClock.Instant
    }

    private let device: PretendedDevice
    private let encoder: any FrameEncoder
    private var pending: [Pending] = []
    private var lastDue = ContinuousClock.now
    private var collected = 0
    private var isFlushed = false
    fileprivate var surfaces: SurfacePool?
    /// Pictures that are yet to be read, from surfaces that nobody holds.
    private var unread: [Unread] = []

    private struct Unread {
        let id: Int
        let ticks: Int64
        let options: FrameOptions
        let place: SurfacePool.Place
        let due: ContinuousClock.Instant
    }

    init(_ device: PretendedDevice, _ encoder: any FrameEncoder) {
        self.device = device
        self.encoder = encoder
    }

    deinit { if device.closing > .zero { sleep(until: .now + device.closing) } }

    var reorderDepth: Int { encoder.reorderDepth }
    var maximumDelay: Int { encoder.maximumDelay }
    var adjustments: [Adjustment] { encoder.adjustments }
    var parameterSets: [[UInt8]]? { get throws(EncoderError) { try encoder.parameterSets } }
    var depth: Int { device.depth }
    var patience: Duration { device.patience }
    var inFlight: Int { pending.count + unread.count }
    var pixelBufferPool: PixelBufferPool? { get throws(EncoderError) { try surfaces?.pictures } }

    func reads(_ picture: PixelBuffer) -> Bool { picture.surface is PretendedSurface? }

    func update(_ live: LiveParameters) throws(EncoderError) -> LiveParameters.Effect { try encoder.update(live) }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        isFlushed = false
        device.log.note(read: picture.pixelBuffer.kind)
        try readLate(until: .now)
        if device.flaw == .readsLateSurfaces, let surface = picture.pixelBuffer.surface as? PretendedSurface {
            unread.append(
                Unread(
                    id: picture.id, ticks: picture.ticks, options: picture.options, place: surface.place,
                    due: .now + device.latency))
        } else {
            try read(picture)
        }
        device.log.note(inFlight: pending.count)
    }

    private func read(_ picture: SourcePicture) throws(EncoderError) {
        let memory = SourcePicture(
            id: picture.id, pixelBuffer: try picture.pixelBuffer.mapped(), ticks: picture.ticks,
            options: picture.options)
        try encoder.encode(memory) { begin($0) }
    }

    /// Reads what a flawed device has not read yet.
    private func readLate(until time: ContinuousClock.Instant) throws(EncoderError) {
        guard let surfaces else { return }
        while let late = unread.first, late.due <= time {
            unread.removeFirst()
            try read(
                SourcePicture(
                    id: late.id, pixelBuffer: try surfaces.picture(at: late.place), ticks: late.ticks,
                    options: late.options))
        }
    }

    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        isFlushed = true
        if let last = unread.last { try readLate(until: last.due) }
        return try encoder.flush { begin($0) }
    }

    func collect(until deadline: ContinuousClock.Instant, emit: EncoderOutput.Handler) throws(EncoderError) {
        if has(.losesItsContext) { throw PretendedDevice.loss }
        if let late = unread.first, pending.isEmpty {
            sleep(until: min(late.due, deadline))
            try readLate(until: .now)
        }
        guard let due = nextDue else { return sleep(until: deadline) }
        sleep(until: has(.ignoresDeadlines) ? due : min(due, deadline))
        while !has(.losesItsContext), let due = nextDue, due <= .now {
            collected += 1
            try pending.removeFirst().output.give(to: emit)
        }
    }

    private func has(_ flaw: PretendedDevice.Flaw) -> Bool {
        device.flaw == flaw && collected >= device.soundPictures
    }

    private func begin(_ output: borrowing EncoderOutput) {
        let isWaking = device.flaw == .ignoresDeadlines && collected + pending.count == 0
        lastDue = max(lastDue, .now) + (isWaking ? .milliseconds(400) : device.latency)
        pending.append(Pending(output: StoredOutput(output), due: lastDue))
    }

    /// When the next picture in flight is there; nil while nobody knows.
    private var nextDue: ContinuousClock.Instant? {
        if has(.stopsAnswering) { return nil }
        if has(.waitsForTheNext), pending.count < 2, !isFlushed { return nil }
        return pending.first?.due
    }
}

/// A copy of an encoder's output.
private enum StoredOutput {
    case coded(CodedPicture, units: [[UInt8]])
    case dropped(id: Int, EncodedFrame.DropReason)

    init(_ output: borrowing EncoderOutput) {
        switch copy output {
        case .dropped(let id, let reason): self = .dropped(id: id, reason)
        case .coded(var picture):
            let units = picture.nalUnits.map { [UInt8]($0) }
            picture.nalUnits = []
            self = .coded(picture, units: units)
        }
    }

    func give(to emit: EncoderOutput.Handler) throws(EncoderError) {
        switch self {
        case .dropped(let id, let reason): try emit(.dropped(id: id, reason: reason))
        case .coded(var picture, let units):
            let memory = UnsafeMutableRawBufferPointer.allocate(
                byteCount: units.reduce(0) { $0 + $1.count }, alignment: 1)
            defer { memory.deallocate() }
            memory.copyBytes(from: units.joined())
            var end = 0
            picture.nalUnits = units.map { unit in
                end += unit.count
                return UnsafeRawBufferPointer(rebasing: memory[end - unit.count..<end])
            }
            try emit(.coded(picture))
        }
    }
}

/// Blocks the thread until a time.
private func sleep(until time: ContinuousClock.Instant) {
    while true {
        let left = (time - .now).components
        guard left.seconds > 0 || (left.seconds == 0 && left.attoseconds > 0) else { return }
        var rest = timespec(tv_sec: Int(left.seconds), tv_nsec: Int(left.attoseconds / 1_000_000_000) + 1)
        nanosleep(&rest, nil)
    }
}

// SPDX-License-Identifier: MIT

/// How much an encoder has in flight.
enum EncoderLoad {
    /// Nothing: whatever is inside waits for another picture.
    case idle
    /// Something, and it takes more.
    case busy
    /// As much as it takes.
    case full
}

/// One encoder's life: the pictures on their way into it, and the frames inside until they come out.
///
/// Confined to the session's thread.
final class EncoderRun {
    let encoder: any FrameEncoder
    /// Pictures where the encoder reads them; nil where any memory will do.
    let pixelBufferPool: PixelBufferPool?
    private let name: String
    private let intake: PictureIntake
    private let tickets: Confined<FrameTickets>
    private let firstID: Int
    /// When the last live change takes effect.
    private(set) var lastEffect = LiveParameters.Effect.fromNextPicture
    /// What the encoder threw: nothing is known of its state then, and it may have lost pictures.
    private(set) var failure: EncoderError?

    /// A year, so that a deadline can be reckoned with.
    private static let longestPatience = Duration.seconds(365 * 86_400)

    /// `max_num_reorder_frames` is at most 16 (H.264 E.2.1); HEVC has fewer.
    private static let legalReorderDepths = 0...16

    /// Takes an open encoder.
    ///
    /// - Parameters:
    ///   - encoder: Just opened; nobody else holds it.
    ///   - name: What errors call the encoder.
    ///   - intake: Brings pictures into what the encoder reads.
    ///   - color: What the samples of its pictures mean, which those of its pool carry.
    ///   - firstID: The id of the first picture.
    /// - Throws: ``EncoderError`` for an encoder that says what cannot be.
    init(
        _ encoder: any FrameEncoder, name: String, intake: PictureIntake, color: ColorDescription?, firstID: Int
    ) throws(EncoderError) {
        guard Self.legalReorderDepths.contains(encoder.reorderDepth) else {
            throw EncoderError(
                .backendFailure,
                reason: "\(name) reorders by \(encoder.reorderDepth) pictures, expected "
                    + "\(Self.legalReorderDepths.lowerBound)...\(Self.legalReorderDepths.upperBound)")
        }
        let pool = try encoder.pixelBufferPool
        pixelBufferPool = try pool.map { (pool) throws(EncoderError) in
            pool.color == color ? pool : try PixelBufferPool(pool, color: color)
        }
        self.encoder = encoder
        self.name = name
        self.intake = intake
        tickets = Confined(FrameTickets(firstID: firstID))
        self.firstID = firstID
    }

    /// What the encoder tells of its parameter sets; nil where it tells nothing before its first picture.
    var parameterSets: [[UInt8]]? {
        get throws(EncoderError) { try watching { () throws(EncoderError) in try encoder.parameterSets } }
    }

    /// Whether the encoder was given no picture.
    var isFresh: Bool { nextID == firstID }

    // MARK: - Frames inside

    /// The id of the picture that is taken next.
    var nextID: Int { tickets.value.nextID }

    /// Whether a frame up to `time`, or any, has not come out.
    func holds(through time: MediaTime?) -> Bool {
        tickets.value.contains { frame in time.map { frame.time <= $0 } ?? true }
    }

    /// Takes out the frame that a picture was made from.
    ///
    /// - Throws: ``EncoderError`` for a picture that is not inside.
    func takeOut(_ id: Int) throws(EncoderError) -> FrameTickets.Ticket {
        if let ticket = tickets.value.remove(id: id) { return ticket }
        throw EncoderError(.backendFailure, reason: "\(name) gave picture \(id), which is not inside it")
    }

    /// Takes out all frames, eldest first.
    func takeOutAll() -> [FrameTickets.Ticket] { tickets.value.removeAll() }

    /// Whether a frame inside is shown before `time`.
    func holds(before time: MediaTime) -> Bool { tickets.value.contains { $0.time < time } }

    /// What the frames inside are thought to take, all together.
    var expectedBytes: Int { tickets.value.expectedBytes }

    /// What `transform` makes of the frames inside, eldest first.
    func mapInside<Value>(_ transform: (FrameTickets.Ticket) -> Value) -> [Value] {
        tickets.value.map(transform)
    }

    // MARK: - Encoding

    /// Whether the encoder reads a picture that is not in memory where it is.
    func reads(_ picture: PixelBuffer) -> Bool { intake.isDirect && encoder.reads(picture) }

    /// Whether a picture is copied only because its samples lie at odd addresses.
    func isMisaligned(_ picture: PixelBuffer) -> Bool { intake.isMisaligned(picture) }

    /// Takes one picture, as its ticket has it; what is ready goes to `deliver`.
    func encode(
        _ picture: PixelBuffer, as ticket: FrameTickets.Ticket, deliver: EncoderOutput.Handler
    ) throws(EncoderError) {
        let id = tickets.value.add(ticket)
        var source = SourcePicture(
            id: id, pixelBuffer: try intake.take(picture), ticks: ticket.ticks, options: ticket.frame.options)
        source.options.forceKeyFrame = ticket.isForced
        source.quantizer = ticket.quantizer
        try watching { () throws(EncoderError) in try encoder.encode(source, emit: deliver) }
    }

    /// Gives the encoder other live parameters.
    func update(_ live: LiveParameters) throws(EncoderError) -> LiveParameters.Effect {
        lastEffect = try watching { () throws(EncoderError) in try encoder.update(live) }
        return lastEffect
    }

    // MARK: - Waiting

    /// How much the encoder has in flight.
    var load: EncoderLoad {
        let inFlight = encoder.inFlight
        guard inFlight > 0 else { return .idle }
        return inFlight < encoder.depth ? .busy : .full
    }

    /// Waits for the next picture in flight; what is ready goes to `deliver`.
    ///
    /// - Throws: ``EncoderError``, `.timedOut` when none comes out for as long as the encoder says it may take.
    func collect(deliver: EncoderOutput.Handler) throws(EncoderError) {
        let deadline = ContinuousClock.now + min(encoder.patience, Self.longestPatience)
        let before = tickets.value.count
        try watching { () throws(EncoderError) in
            while tickets.value.count == before, encoder.inFlight > 0 {
                guard ContinuousClock.now < deadline else { throw lateness }
                try encoder.collect(until: deadline, emit: deliver)
            }
        }
    }

    /// Collects until at most so many frames are inside, or nothing more comes out without another picture.
    func collect(downTo most: Int, deliver: EncoderOutput.Handler) throws(EncoderError) {
        while tickets.value.count > most, encoder.inFlight > 0 { try collect(deliver: deliver) }
    }

    /// Collects until no frame up to `time` is inside, or nothing more comes out without another picture.
    func collect(through time: MediaTime?, deliver: EncoderOutput.Handler) throws(EncoderError) {
        while holds(through: time), load != .idle { try collect(deliver: deliver) }
    }

    /// Gives everything inside to `deliver`.
    ///
    /// - Returns: Whether the encoder goes on.
    func flush(deliver: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        let outcome = try watching { () throws(EncoderError) in try encoder.flush(emit: deliver) }
        try collect(through: nil, deliver: deliver)
        guard tickets.value.count > 0 else { return outcome }
        return try watching { () throws(EncoderError) in
            throw EncoderError(
                .backendFailure,
                reason: "\(name) was flushed and still holds \(tickets.value.count) of the pictures given")
        }
    }

    private var lateness: EncoderError {
        let oldest = tickets.value.oldestID.map { "picture \($0), the oldest inside," } ?? "none of the pictures given"
        return EncoderError(
            .timedOut,
            reason: "\(name) has \(encoder.inFlight) pictures in flight, and \(oldest) did not come out within "
                + "\(encoder.patience)")
    }

    private func watching<Value>(_ call: () throws(EncoderError) -> Value) throws(EncoderError) -> Value {
        do throws(EncoderError) {
            return try call()
        } catch {
            failure = error
            throw error
        }
    }
}

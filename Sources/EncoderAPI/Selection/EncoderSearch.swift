// SPDX-License-Identifier: MIT

/// What an ``EncoderSelection`` does next, and why it passed encoders over: a pure value.
struct EncoderSearch {
    /// What to do next.
    enum Step {
        /// Ask the back end of this index for its encoders.
        case list(Int)
        /// Try an encoder.
        case open(EncoderDescription, Place)
        /// No encoder is left.
        case end
    }

    /// Where an encoder stands: its back end, and its place in that one's list.
    struct Place: Hashable {
        var backend: Int
        var index: Int
    }

    /// When an encoder's turn comes, from 0 on, or why never.
    private enum Turn {
        case at(Int)
        case never(EncoderRejection.Code)
    }

    private struct Entry {
        var encoder: EncoderDescription?
        var turn = 0
        var code: EncoderRejection.Code?
        var error: EncoderError?
    }

    private let selection: EncoderSelection
    private let codec: VideoCodec
    /// What each back end listed; nil where it was not asked.
    private var listed: [[Entry]?]

    init(_ selection: EncoderSelection, for codec: VideoCodec) {
        self.selection = selection
        self.codec = codec
        listed = Array(repeating: nil, count: selection.backends.count)
    }

    /// What to do next.
    var nextStep: Step {
        for turn in 0..<Self.turns where turn < Self.firstTurnOnCPU || mayFallBack {
            for (backend, entries) in listed.enumerated() {
                guard let entries else { return .list(backend) }
                for (index, entry) in entries.enumerated() where entry.turn == turn && entry.code == nil {
                    if let encoder = entry.encoder { return .open(encoder, Place(backend: backend, index: index)) }
                }
            }
        }
        return .end
    }

    /// Takes what a back end listed.
    mutating func note(_ list: Result<[EncoderDescription], EncoderError>, of backend: Int) {
        switch list {
        case .failure(let error): listed[backend] = [Entry(code: .listingFailed, error: error)]
        case .success([]): listed[backend] = [Entry(code: .listsNone)]
        case .success(let encoders):
            listed[backend] = encoders.map { encoder in
                switch turn(of: encoder) {
                case .at(let turn): Entry(encoder: encoder, turn: turn)
                case .never(let code): Entry(encoder: encoder, code: code)
                }
            }
        }
    }

    /// Notes that an encoder was tried in vain.
    mutating func reject(_ place: Place, _ code: EncoderRejection.Code, _ error: EncoderError) {
        listed[place.backend]?[place.index].code = code
        listed[place.backend]?[place.index].error = error
    }

    /// Why each encoder but the one at `choice` is not taken.
    ///
    /// One that was never tried is not needed beside the one chosen; where none is, only a refusal of the settings by
    /// hardware can be what kept the CPU's from being tried.
    func rejections(choosing choice: Place?) -> [EncoderRejection] {
        let untried = choice == nil ? EncoderRejection.Code.runsOnCPU : .notNeeded
        var rejections: [EncoderRejection] = []
        for (number, backend) in selection.backends.enumerated() {
            for (index, entry) in (listed[number] ?? [Entry(code: .notNeeded)]).enumerated()
            where Place(backend: number, index: index) != choice {
                rejections.append(
                    EncoderRejection(
                        backend: backend.identifier, encoder: entry.encoder?.id, code: entry.code ?? untried,
                        error: entry.error))
            }
        }
        return rejections
    }

    /// Says that no encoder was taken: as the encoder does where only one came into question.
    var failure: EncoderError {
        let rejections = rejections(choosing: nil)
        let tried = rejections.filter { $0.code == .settingsRefused || $0.code == .openingFailed }
        if tried.count == 1, let error = tried[0].error {
            return EncoderError(
                error.code, reason: error.reason, setting: error.setting, status: error.status, rejections: rejections)
        }
        let encoders = listed.flatMap { $0 ?? [] }.compactMap(\.encoder)
        var reasons = rejections.map(\.description)
        if let id = selection.encoderID, !encoders.isEmpty, !encoders.contains(where: { $0.id == id }) {
            // What was listed differs from what was named in the name alone.
            let others = encoders.map(\.id.rawValue).joined(separator: ", ")
            reasons =
                ["no encoder \(id.rawValue), expected one of \(others)"]
                + rejections.filter { $0.encoder == nil }.map(\.description)
        }
        return EncoderError(
            .noEncoder, reason: reasons.isEmpty ? "no back end to choose from" : reasons.joined(separator: "; "),
            rejections: rejections)
    }

    // MARK: - Turns

    /// The device that is preferred and others, in hardware and then on the CPU.
    private static let turns = 4
    private static let firstTurnOnCPU = 2

    private func turn(of encoder: EncoderDescription) -> Turn {
        let isHardware = encoder.isHardwareAccelerated
        if encoder.codec != codec { return .never(.otherCodec) }
        if let id = selection.encoderID, id != encoder.id { return .never(.otherEncoder) }
        if let device = selection.requiredDevice, device != encoder.device { return .never(.otherDevice) }
        let isLast: Bool
        switch selection.hardwareAcceleration {
        case .automatic: isLast = false
        case .required where !isHardware: return .never(.runsOnCPU)
        case .forbidden where isHardware: return .never(.runsOnDevice)
        case .required, .forbidden: isLast = false
        case .preferred, .softwareFallbackAllowed: isLast = !isHardware
        }
        let isOther = selection.preferredDevice.map { $0 != encoder.device } ?? false
        return .at((isLast ? Self.firstTurnOnCPU : 0) + (isOther ? 1 : 0))
    }

    private var mayFallBack: Bool {
        selection.hardwareAcceleration != .softwareFallbackAllowed
            || !listed.contains { $0?.contains { $0.code == .settingsRefused } == true }
    }
}

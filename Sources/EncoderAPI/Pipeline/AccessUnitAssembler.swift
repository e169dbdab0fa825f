// SPDX-License-Identifier: MIT

/// Sorts the NAL units of coded pictures into format description and access unit, in the framing asked for.
struct AccessUnitAssembler {
    private let codec: VideoCodec
    private let framing: StreamFraming
    private let placement: ParameterSetPlacement
    private let memory: UnitMemory
    /// Luma samples in a row and luma rows of the pictures as they are given.
    private var size: (width: Int, height: Int)
    private(set) var progress = Progress()
    /// Where ``goBack()`` leads to.
    private(set) var mark = Progress()
    /// The roles of the NAL units of the picture at hand; an array that is kept for its memory.
    private var roles: [NALUnitRole] = []

    init(configuration: SessionConfiguration, memory: UnitMemory = .array) {
        self.memory = memory
        codec = configuration.codec
        framing = configuration.framing
        placement = configuration.parameterSets
        size = (configuration.width, configuration.height)
    }

    /// What pictures change.
    struct Progress {
        /// The format of the last picture; nil before the first.
        fileprivate(set) var format: FormatDescription?
        fileprivate var isChangeTold = false
        fileprivate var changeStart = 0
        /// Whether the format has not gone out in the stream since it changed.
        fileprivate var owesSets = false
        fileprivate var idrPicIDs = IDRPicIDs()
    }

    /// The format of the last picture; nil before the first.
    var format: FormatDescription? { progress.format }

    /// Whether a caller was told that the format may change, and no picture has brought the change yet.
    ///
    /// Otherwise parameter sets stay where an encoder writes others that differ in frame rate, level or tier alone.
    var isChangeTold: Bool {
        get { progress.isChangeTold }
        set { progress.isChangeTold = newValue }
    }

    /// The id of the first picture that the change told may begin with; those before it were inside the encoder
    /// already.
    var changeStart: Int {
        get { progress.changeStart }
        set { progress.changeStart = newValue }
    }

    /// Makes this the place that ``goBack()`` leads to.
    mutating func setMark() { mark = progress }

    /// Takes back the pictures since the mark.
    mutating func goBack() { goBack(to: mark) }

    /// Takes back the pictures since; a change of the format that was told since stays told.
    mutating func goBack(to before: Progress) {
        let (isTold, start) = (isChangeTold, changeStart)
        progress = before
        isChangeTold = isChangeTold || isTold
        changeStart = max(changeStart, start)
    }

    /// Goes on with pictures of another size, whose parameter sets come with the next of them.
    mutating func show(_ source: SourceFormat) { size = (source.width, source.height) }

    /// Makes an access unit of a picture; nothing of the picture's memory is kept.
    ///
    /// - Throws: ``EncoderError`` with `.nalUnitTooLarge` when a unit does not fit the length field, `.backendFailure`
    ///   when the encoder wrote no slice, or parameter sets that cannot be read.
    mutating func assemble(_ picture: borrowing CodedPicture) throws(EncoderError) -> AccessUnit {
        roles.removeAll(keepingCapacity: true)
        for unit in picture.nalUnits { roles.append(NALUnitRole(of: unit, codec: codec)) }
        guard roles.contains(where: \.isSlice) else {
            throw EncoderError(
                .backendFailure,
                reason: "the encoder gave a picture of \(roles.count) NAL units without a slice among them")
        }
        let isSync = roles.contains { $0 == .slice(.sync) }
        let isPartialSync = !isSync && (picture.isRecoveryPoint || roles.contains { $0 == .slice(.openGOP) })

        if try updateFormat(picture.nalUnits, of: picture.id) { progress.owesSets = true }
        guard let format else {
            throw EncoderError(.backendFailure, reason: "the encoder gave a picture before any parameter sets")
        }
        let carriesSets =
            switch placement {
            case .outOfBand: false
            case .firstAndOnChange: progress.owesSets
            case .everySyncFrame: isSync || isPartialSync
            }
        var id = codec == .h264 && isSync ? progress.idrPicIDs.id(of: picture.nalUnits, roles) : nil
        let framed: (data: AccessUnit.Storage, ranges: [Range<Int>])
        if progress.idrPicIDs.mustChange(id) {
            framed = try changingIDRPicID(picture.nalUnits, roles) { (units) throws(EncoderError) in
                try frame(units, roles, format: format, carriesSets: carriesSets)
            }
            id = id.map(IDRPicIDs.replacement)
        } else {
            framed = try frame(picture.nalUnits, roles, format: format, carriesSets: carriesSets)
        }
        progress.idrPicIDs.note(id)
        if carriesSets { progress.owesSets = false }
        return AccessUnit(
            framed.data, nalUnits: framed.ranges, format: format, pictureType: picture.pictureType,
            isSync: isSync, isPartialSync: isPartialSync, isDependedOnByOthers: picture.isReference,
            averageQP: picture.averageQP)
    }

    /// Gives the NAL units of an IDR picture to `body` with another `idr_pic_id` in each slice.
    private func changingIDRPicID<Result>(
        _ units: [UnsafeRawBufferPointer], _ roles: [NALUnitRole],
        _ body: ([UnsafeRawBufferPointer]) throws(EncoderError) -> Result
    ) throws(EncoderError) -> Result {
        var copies: [UnsafeMutableRawBufferPointer] = []
        defer { for copy in copies { copy.deallocate() } }
        var changed = units
        for index in units.indices where roles[index].isSlice {
            let bytes = try progress.idrPicIDs.changed(units[index])
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            copy.copyBytes(from: bytes)
            copies.append(copy)
            changed[index] = UnsafeRawBufferPointer(copy)
        }
        return try body(changed)
    }

    /// Whether the format stays where an encoder writes `sets`.
    func keepsFormat(with sets: [[UInt8]]) -> Bool { keepsFormat(with: sets, mayChange: isChangeTold) }

    private func keepsFormat(with sets: [[UInt8]], mayChange: Bool) -> Bool {
        guard let format, format.width == size.width, format.height == size.height else { return false }
        return ParameterSetComparison(codec: codec, ignoresLevel: !mayChange).areAlike(format.parameterSets, sets)
    }

    /// Takes over parameter sets that differ from those in force, unless those stay in place of them.
    private mutating func updateFormat(_ units: [UnsafeRawBufferPointer], of id: Int) throws(EncoderError) -> Bool {
        var index = 0
        var differs = false
        for (unit, role) in zip(units, roles) where role == .parameterSet {
            let current = format.map { index < $0.parameterSets.count ? $0.parameterSets[index] : [] } ?? []
            if !unit.elementsEqual(current) { differs = true }
            index += 1
        }
        // An odd size has the sets of the next even one.
        if let format, format.width != size.width || format.height != size.height { differs = true }
        guard index > 0, differs || index != format?.parameterSets.count else { return false }
        let sets = zip(units, roles).filter { $0.1 == .parameterSet }.map { Array($0.0) }
        let mayChange = isChangeTold && id >= changeStart
        guard !keepsFormat(with: sets, mayChange: mayChange) else {
            for index in roles.indices where roles[index] == .parameterSet { roles[index] = .replacedParameterSet }
            return false
        }
        let lengthSize = if case .lengthPrefixed(let bytes) = framing { bytes } else { 4 }
        do throws(EncoderError) {
            progress.format = try FormatDescription(
                codec: codec, parameterSets: sets, width: size.width, height: size.height,
                nalUnitLengthSize: lengthSize,
                areInBand: placement != .outOfBand)
        } catch {
            throw EncoderError(.backendFailure, reason: "the encoder wrote other sets than it may: \(error.reason)")
        }
        if codec == .h264 { progress.idrPicIDs.adopt(sets) }
        if mayChange { isChangeTold = false }
        return true
    }

    private func frame(
        _ units: [UnsafeRawBufferPointer], _ roles: [NALUnitRole], format: FormatDescription, carriesSets: Bool
    ) throws(EncoderError) -> (data: AccessUnit.Storage, ranges: [Range<Int>]) {
        // What writes below has this alone of the assembler, not a copy of all.
        let framing = framing
        let prefixLength = framing.prefixLength
        // A back end need not repeat its parameter sets; those in force stand in then.
        let adds = carriesSets && !roles.contains(.parameterSet) ? format.parameterSets : []
        var capacity = adds.reduce(0) { $0 + prefixLength + $1.count }
        for (unit, role) in zip(units, roles) where role.isKept(carriesSets: carriesSets) {
            capacity += prefixLength + unit.count
        }
        let write = { (memory: UnsafeMutableRawBufferPointer) in
            var writer = NALUnitWriter(framing, memory, unitCount: units.count + adds.count)
            // A delimiter stays first (H.264 7.4.1.2.3, HEVC 7.4.2.4.4).
            let lead = adds.isEmpty || roles.first != .delimiter ? 0 : 1
            for unit in units.prefix(lead) { writer.append(unit) }
            for set in adds { set.withUnsafeBytes { writer.append($0) } }
            for (unit, role) in zip(units, roles).dropFirst(lead) where role.isKept(carriesSets: carriesSets) {
                writer.append(unit)
            }
            return writer.written
        }
        let data: AccessUnit.Storage
        var written: NALUnitWriter.Written
        switch memory {
        case .array:
            written = NALUnitWriter.Written()
            data = .array(
                [UInt8](unsafeUninitializedCapacity: capacity) { data, count in
                    written = write(UnsafeMutableRawBufferPointer(data))
                    count = written.count
                })
        case .block:
            let block = UnitBlock(count: capacity)
            written = write(block.bytes)
            data = .block(block)
        }
        if let tooLarge = written.tooLarge {
            throw EncoderError(
                .nalUnitTooLarge,
                reason:
                    "a NAL unit of \(tooLarge) bytes, expected at most \((1 << (8 * prefixLength)) - 1) for lengths "
                    + "of \(prefixLength) bytes", setting: .framing)
        }
        return (data, written.ranges)
    }
}

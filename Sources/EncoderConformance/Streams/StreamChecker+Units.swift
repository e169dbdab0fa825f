// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets

// MARK: - NAL units

extension StreamChecker {
    /// The ranges are what a scan of the bytes finds, each behind the prefix of the framing.
    func checkUnits(_ unit: AccessUnit, _ name: String, _ findings: inout Findings) {
        let prefixLength = configuration.framing.prefixLength
        var end = 0
        for range in unit.nalUnits {
            guard range.lowerBound == end + prefixLength, range.upperBound <= unit.data.count, !range.isEmpty else {
                findings.note(
                    "NAL units of \(name) one behind the other inside its \(unit.data.count) bytes, each behind "
                        + "\(prefixLength) bytes", seen: "\(unit.nalUnits)")
                return
            }
            checkPrefix(Array(unit.data[end..<range.lowerBound]), before: range.count, name, &findings)
            end = range.upperBound
        }
        findings.expect(
            end == unit.data.count, "NAL units of \(name) up to byte \(unit.data.count)", seen: "up to \(end)")
        if configuration.framing == .annexB {
            let scanned = AnnexB.nalUnitRanges(in: unit.data)
            findings.expect(
                scanned == unit.nalUnits, "NAL units of \(name) where its start codes are, \(scanned)",
                seen: "\(unit.nalUnits)")
        }
        for range in unit.nalUnits {
            let unit = StreamUnit(unit.data[range], codec: configuration.codec)
            findings.expect(unit.kind != .illegalHeader, "NAL units of \(name) with legal headers", seen: unit.name)
            findings.expect(!unit.isVersionSEI, "no version SEI in \(name)", seen: "one of \(range.count) bytes")
        }
    }

    private func checkPrefix(_ prefix: [UInt8], before length: Int, _ name: String, _ findings: inout Findings) {
        switch configuration.framing {
        case .annexB:
            findings.expect(prefix == AnnexB.startCode, "start codes 00 00 00 01 in \(name)", seen: "\(prefix)")
        case .lengthPrefixed:
            let value = prefix.reduce(0) { $0 << 8 | Int($1) }
            findings.expect(value == length, "length \(length) before a NAL unit of \(name)", seen: "\(value)")
        }
    }
}

// MARK: - Flags

extension StreamChecker {
    /// Sync and dependency flags agree with the headers of the slices.
    func checkFlags(_ unit: AccessUnit, _ name: String, _ findings: inout Findings) {
        let units = unit.streamUnits(configuration.codec)
        let slices = units.filter(\.isSlice)
        guard let first = slices.first else {
            findings.note("a slice in \(name)", seen: "\(units.map(\.name))")
            return
        }
        findings.expect(
            slices.allSatisfy { $0.kind == first.kind }, "slices of one kind in \(name)", seen: "\(slices.map(\.name))")
        findings.expect(
            unit.isSync == (first.kind == .idr), "\(name) to be sync exactly if it is an IDR",
            seen: "isSync \(unit.isSync) with \(first.name)")
        findings.expect(
            !(unit.isSync && unit.isPartialSync), "\(name) not to be both sync and partial sync", seen: "both")
        if configuration.codec == .hevc {
            findings.expect(
                unit.isPartialSync == (first.kind == .openRandomAccess),
                "\(name) to be partial sync exactly if it is a CRA or BLA",
                seen: "isPartialSync \(unit.isPartialSync) with \(first.name)")
        }
        if !configuration.allowOpenGOP {
            findings.expect(!unit.isPartialSync, "no partial sync with closed GOP", seen: name)
        }
        if unit.isSync || unit.isPartialSync {
            findings.expect(
                !unit.dependsOnOthers, "\(name), where decoding can start, not to depend on others",
                seen: "picture type \(unit.pictureType)")
            findings.expect(
                unit.isSync ? unit.isDependedOnByOthers : true, "\(name), a sync frame, to be depended on",
                seen: "isDependedOnByOthers false")
        }
        findings.expect(
            unit.isDependedOnByOthers == first.isReference,
            "isDependedOnByOthers of \(name) to agree with its \(first.name) header, \(first.isReference)",
            seen: "\(unit.isDependedOnByOthers)")
        if let slice = units.firstIndex(where: \.isSlice), let set = units.lastIndex(where: \.isParameterSet) {
            findings.expect(set < slice, "parameter sets of \(name) before its slices", seen: "\(units.map(\.name))")
        }
    }

    /// The type told with a picture is that of its slices, of the most general of them, and its time has the place
    /// that their order has.
    func checkSlices(_ frames: [EncodedFrame], _ findings: inout Findings) {
        var format: FormatDescription?
        var headers: StreamHeaders?
        var order = PictureOrder()
        for frame in frames {
            guard let unit = frame.accessUnit else { continue }
            if unit.format != format { (format, headers) = (unit.format, try? StreamHeaders(unit.format)) }
            // Headers that cannot be read are found elsewhere.
            guard let slices = try? headers?.slices(of: unit), let first = slices.first else { continue }
            if unit.isSync { checkOrder(of: order.startAnew(), &findings) }
            order.add(frame, first.order, isReference: unit.isDependedOnByOthers)
            let kinds = slices.map(\.kind)
            let isInter = kinds.contains { $0 != .i }
            // HEVC encoders may write P pictures as B slices with two equal lists.
            let legal: [AccessUnit.PictureType] =
                !isInter ? [.i] : !kinds.contains(.b) ? [.p] : configuration.codec == .h264 ? [.b] : [.b, .p]
            findings.expect(
                legal.contains(unit.pictureType),
                "\(name(of: frame)) to be of type \(legal[0]), as its slices are", seen: "\(unit.pictureType)")
        }
        checkOrder(of: order.startAnew(), &findings)
    }

    /// Presentation times increase from picture to picture as a decoder shows them.
    private func checkOrder(of shown: [EncodedFrame], _ findings: inout Findings) {
        for (frame, next) in zip(shown, shown.dropFirst()) where frame.presentationTime >= next.presentationTime {
            findings.note(
                "\(name(of: next)), which decoders show after \(name(of: frame)), to have a later time",
                seen: "\(next.presentationTime) after \(frame.presentationTime)")
        }
    }

    /// Of two H.264 IDR pictures one after the other, each has another `idr_pic_id` (7.4.3).
    func checkIDRPicIDs(_ frames: [EncodedFrame], _ findings: inout Findings) {
        guard configuration.codec == .h264 else { return }
        var last: Int?
        for frame in frames {
            guard let unit = frame.accessUnit else { continue }
            guard unit.isSync, let headers = try? StreamHeaders(unit.format),
                let id = try? headers.slices(of: unit).first?.idrPicID
            else {
                last = nil
                continue
            }
            findings.expect(
                id != last, "another idr_pic_id in \(name(of: frame)) than in the IDR picture right before it",
                seen: "\(id) in both")
            last = id
        }
    }

    /// Decode order keeps the promises of closed GOP and of no reordering.
    func checkOrder(_ frames: [EncodedFrame], _ findings: inout Findings) {
        let encoded = frames.filter { $0.accessUnit != nil }
        if let first = encoded.first {
            findings.expect(
                first.accessUnit?.isSync == true, "the first frame to be a sync frame", seen: "\(name(of: first))")
        }
        var lastSync: EncodedFrame?
        var lastShown: MediaTime?
        for frame in encoded {
            if let lastSync, !configuration.allowOpenGOP {
                findings.expect(
                    frame.presentationTime > lastSync.presentationTime,
                    "\(name(of: frame)), decoded after the sync \(name(of: lastSync)), to be shown after it",
                    seen: "\(frame.presentationTime) before \(lastSync.presentationTime)")
            }
            if configuration.allowFrameReordering == false {
                findings.expect(
                    lastShown.map { frame.presentationTime > $0 } ?? true, "frames in display order",
                    seen: "\(name(of: frame)) after \(String(describing: lastShown))")
            }
            lastShown = frame.presentationTime
            if frame.accessUnit?.isSync == true { lastSync = frame }
        }
    }
}

extension AccessUnit {
    /// The headers of its NAL units; ranges outside the data, which the checker reports, are left out.
    func streamUnits(_ codec: VideoCodec) -> [StreamUnit] {
        nalUnits.compactMap { range in
            guard range.lowerBound >= 0, range.upperBound <= data.count else { return nil }
            return StreamUnit(data[range], codec: codec)
        }
    }
}

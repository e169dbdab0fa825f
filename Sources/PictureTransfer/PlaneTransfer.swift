// SPDX-License-Identifier: MIT

import EncoderAPI

/// Brings planes of Y, Cb and Cr into the size, direction and arrangement of a target.
struct PlaneTransfer {
    let library: YUVLibrary
    let scratch: Scratch
    let geometry: GeometryPlan

    /// Brings a picture that is not RGB into the target.
    func run(
        _ picture: PixelBuffer, _ location: PixelTransferOptions.ChromaLocation, to content: FourTwoZero
    ) throws(EncoderError) {
        let isInPlace = geometry.turn.isNone && !geometry.isScaled
        let crop = geometry.crop
        switch picture.format {
        case .yuyv, .uyvy:
            var target = content
            if case .planar = content.chroma, isInPlace {
            } else {
                target = try scratchPicture(width: crop.width, height: crop.height)
            }
            let source = Plane(
                reading: picture, 0, x: 2 * crop.x, y: crop.y, width: 4 * ((crop.width + 1) / 2), height: crop.height)
            library.unpack(
                source.base, stride: source.stride, isChromaFirst: picture.format == .uyvy, to: target)
            if case .planar = content.chroma, isInPlace { return }
            try place(target, turn: geometry.turn, to: content)
        case .nv16, .i444:
            try place(
                try withHalvedChroma(picture, location, isInPlace ? content : nil), turn: geometry.turn, to: content)
        default: try place(whole(picture), turn: geometry.turn, to: content)
        }
    }

    /// What is left of a picture in 4:2:0.
    private func whole(_ picture: PixelBuffer) -> FourTwoZero {
        let crop = geometry.crop
        let (columns, rows) = ((crop.width + 1) / 2, (crop.height + 1) / 2)
        let luma = Plane(reading: picture, 0, x: crop.x, y: crop.y, width: crop.width, height: crop.height)
        guard !picture.format.isBiplanar else {
            let pairs = Plane(reading: picture, 1, x: crop.x, y: crop.y / 2, width: 2 * columns, height: rows)
            return FourTwoZero(luma: luma, chroma: .interleaved(pairs))
        }
        let (cb, cr) = (
            Plane(reading: picture, 1, x: crop.x / 2, y: crop.y / 2, width: columns, height: rows),
            Plane(reading: picture, 2, x: crop.x / 2, y: crop.y / 2, width: columns, height: rows)
        )
        return FourTwoZero(luma: luma, chroma: .planar(cb, cr))
    }

    /// What is left of a picture with more Cb and Cr, as 4:2:0 whose Y lies where it was; Cb and Cr go into `target`
    /// where it has them arranged alike.
    private func withHalvedChroma(
        _ picture: PixelBuffer, _ location: PixelTransferOptions.ChromaLocation, _ target: FourTwoZero?
    ) throws(EncoderError) -> FourTwoZero {
        let crop = geometry.crop
        let (columns, rows) = ((crop.width + 1) / 2, (crop.height + 1) / 2)
        let luma = Plane(reading: picture, 0, x: crop.x, y: crop.y, width: crop.width, height: crop.height)
        if picture.format == .nv16 {
            let pairs = Plane(reading: picture, 1, x: crop.x, y: crop.y, width: 2 * columns, height: crop.height)
            var halved: Plane
            if case .interleaved(let plane)? = target?.chroma {
                halved = plane
            } else {
                halved = try scratch.plane(width: 2 * columns, height: rows)
            }
            ChromaRows.halveRows(pairs, to: halved)
            return FourTwoZero(luma: luma, chroma: .interleaved(halved))
        }
        var (cb, cr): (Plane, Plane)
        if case .planar(let first, let second)? = target?.chroma {
            (cb, cr) = (first, second)
        } else {
            (cb, cr) = (
                try scratch.plane(width: columns, height: rows), try scratch.plane(width: columns, height: rows)
            )
        }
        for (index, halved) in [(1, cb), (2, cr)] {
            let plane = Plane(reading: picture, index, x: crop.x, y: crop.y, width: crop.width, height: crop.height)
            ChromaRows.halve(plane, to: halved, location)
        }
        return FourTwoZero(luma: luma, chroma: .planar(cb, cr))
    }

    // MARK: - Placing

    /// Scales and turns a picture into the target; what lies there already stays.
    func place(_ source: FourTwoZero, turn: GeometryPlan.Turn, to target: FourTwoZero) throws(EncoderError) {
        try place(source.luma, turn, to: target.luma)
        switch (source.chroma, target.chroma) {
        case (.planar(let fromCb, let fromCr), .planar(let cb, let cr)):
            try place(fromCb, turn, to: cb)
            try place(fromCr, turn, to: cr)
        case (.interleaved(let from), .interleaved(let pairs)):
            if turn.isNone, from.width == pairs.width, from.height == pairs.height {
                return try place(from, turn, to: pairs)
            }
            // libyuv scales two planes faster than pairs.
            let (fromCb, fromCr) = try split(from)
            let (cb, cr) = try (placed(fromCb, turn, in: pairs), placed(fromCr, turn, in: pairs))
            library.merge(cb, cr, to: pairs)
        case (.planar(let fromCb, let fromCr), .interleaved(let pairs)):
            let (cb, cr) = try (placed(fromCb, turn, in: pairs), placed(fromCr, turn, in: pairs))
            library.merge(cb, cr, to: pairs)
        case (.interleaved(let from), .planar(let cb, let cr)):
            if turn.isNone, from.width == 2 * cb.width, from.height == cb.height {
                return library.split(from, to: cb, cr)
            }
            let (fromCb, fromCr) = try split(from)
            try place(fromCb, turn, to: cb)
            try place(fromCr, turn, to: cr)
        }
    }

    private func split(_ pairs: Plane) throws(EncoderError) -> (Plane, Plane) {
        let (width, height) = (Int(pairs.width) / 2, Int(pairs.height))
        let (cb, cr) = (
            try scratch.plane(width: width, height: height), try scratch.plane(width: width, height: height)
        )
        library.split(pairs, to: cb, cr)
        return (cb, cr)
    }

    /// A plane as one half of interleaved pairs wants it.
    private func placed(_ source: Plane, _ turn: GeometryPlan.Turn, in pairs: Plane) throws(EncoderError) -> Plane {
        if turn.isNone, 2 * source.width == pairs.width, source.height == pairs.height { return source }
        let target = try scratch.plane(width: Int(pairs.width) / 2, height: Int(pairs.height))
        try place(source, turn, to: target)
        return target
    }

    private func place(_ source: Plane, _ turn: GeometryPlan.Turn, to target: Plane) throws(EncoderError) {
        let (width, height) =
            turn.swapsSides ? (target.height, target.width) : (target.width, target.height)
        let isScaled = source.width != width || source.height != height
        guard !turn.isNone else {
            if isScaled {
                try scale(source, to: target)
            } else if source.base != target.base {
                library.copy(source, to: target)
            }
            return
        }
        guard isScaled else { return library.turn(source, to: target, turn) }
        try scratch.withPlanes { () throws(EncoderError) in
            // The smaller of the two is turned.
            if Int(source.width) * Int(source.height) < Int(width) * Int(height) {
                let (sourceWidth, sourceHeight) = (Int(source.width), Int(source.height))
                let turned = try scratch.plane(
                    width: turn.swapsSides ? sourceHeight : sourceWidth,
                    height: turn.swapsSides ? sourceWidth : sourceHeight)
                library.turn(source, to: turned, turn)
                try scale(turned, to: target)
            } else {
                let scaled = try scratch.plane(width: Int(width), height: Int(height))
                try scale(source, to: scaled)
                library.turn(scaled, to: target, turn)
            }
        }
    }

    /// Scales in steps of a half as long as a side has twice the target's samples, and then by two samples each way.
    ///
    /// The mean of all samples that libyuv takes in one step is not rounded, and loses more the more they are.
    private func scale(_ source: Plane, to target: Plane) throws(EncoderError) {
        let width = source.width >= 2 * target.width ? (source.width + 1) / 2 : source.width
        let height = source.height >= 2 * target.height ? (source.height + 1) / 2 : source.height
        let isLast =
            width == source.width && height == source.height || width == target.width && height == target.height
        if source.stride <= Int32.max / 3, 2 * source.width == 3 * target.width, 2 * source.height == 3 * target.height
        {
            return try TwoThirdsScaler(library: library, scratch: scratch).scale(source, to: target)
        }
        guard !isLast else { return library.scale(source, to: target) }
        try scratch.withPlanes { () throws(EncoderError) in
            let halved = try scratch.plane(width: Int(width), height: Int(height))
            library.scale(source, to: halved)
            try scale(halved, to: target)
        }
    }

    /// A picture with planes of its own in the memory of the transfer.
    func scratchPicture(width: Int, height: Int) throws(EncoderError) -> FourTwoZero {
        let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
        return FourTwoZero(
            luma: try scratch.plane(width: width, height: height),
            chroma: .planar(
                try scratch.plane(width: columns, height: rows), try scratch.plane(width: columns, height: rows)))
    }
}

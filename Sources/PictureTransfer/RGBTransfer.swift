// SPDX-License-Identifier: MIT

import EncoderAPI

/// The pixels of a picture in RGB that are left of it.
struct RGBSource {
    /// Counts its width in bytes.
    let pixels: Plane
    let bytesPerPixel: Int
    let width: Int
    let height: Int
    /// Where samples lie once a pixel has four bytes.
    let order: RGBKernel.Order

    init(_ picture: PixelBuffer, crop: GeometryPlan.Part) {
        bytesPerPixel = picture.format == .rgb24 ? 3 : 4
        order = picture.format == .argb ? .argb : picture.format == .rgba ? .rgba : .bgra
        (width, height) = (crop.width, crop.height)
        pixels = Plane(
            reading: picture, 0, x: crop.x * bytesPerPixel, y: crop.y, width: crop.width * bytesPerPixel,
            height: crop.height)
    }

    /// Whether every pixel begins at an address that four divides: libyuv turns by a quarter no others.
    var hasAlignedPixels: Bool { (Int(bitPattern: pixels.base) | Int(pixels.stride)) % 4 == 0 }

    func part(x: Int, y: Int, width: Int, height: Int) -> Plane {
        pixels.part(x: x * bytesPerPixel, y: y, width: width * bytesPerPixel, height: height)
    }
}

/// Brings a picture in RGB into 4:2:0, a few rows at a time: pixels are turned before Cb and Cr are made of them, so
/// that those come to lie where they should.
struct RGBTransfer {
    let planes: PlaneTransfer
    let kernel: RGBKernel
    let source: RGBSource

    /// Rows that are turned at once; even.
    private static let bandRows = 16

    private var library: YUVLibrary { planes.library }
    private var turn: GeometryPlan.Turn { planes.geometry.turn }

    func run(to content: FourTwoZero) throws(EncoderError) {
        guard planes.geometry.isScaled else { return try convert(to: content) }
        let (width, height) = (planes.geometry.turnedWidth, planes.geometry.turnedHeight)
        let unscaled = try planes.scratchPicture(width: width, height: height)
        try convert(to: unscaled)
        try planes.place(unscaled, turn: GeometryPlan.Turn(), to: content)
    }

    /// Makes the turned picture, in its own size.
    private func convert(to target: FourTwoZero) throws(EncoderError) {
        let (width, height) = (Int(target.luma.width), Int(target.luma.height))
        let scratch = planes.scratch
        let isCopied = source.bytesPerPixel == 3 || turn.swapsSides && !source.hasAlignedPixels
        let pixels =
            isCopied
            ? try scratch.plane(
                width: 4 * (turn.swapsSides ? Self.bandRows : width), height: turn.swapsSides ? width : Self.bandRows)
            : nil
        let turned = turn.isNone ? nil : try scratch.plane(width: 4 * width, height: Self.bandRows)
        var pairs: Plane?
        if case .planar = target.chroma { pairs = try scratch.plane(width: width + 1, height: 1) }
        for start in stride(from: 0, to: height, by: Self.bandRows) {
            let rows = min(Self.bandRows, height - start)
            let band = band(from: start, rows: rows, width: width, copy: pixels, turned: turned)
            convert(band, to: target, from: start, width: width, pairs: pairs)
        }
    }

    private func convert(_ band: Plane, to target: FourTwoZero, from start: Int, width: Int, pairs: Plane?) {
        for row in 0..<Int(band.height) {
            kernel.makeLuma(band.row(row), to: target.luma.row(start + row), width: width)
        }
        for row in stride(from: 0, to: Int(band.height), by: 2) {
            let (top, bottom) = (band.row(row), band.row(min(row + 1, Int(band.height) - 1)))
            let place = (start + row) / 2
            switch target.chroma {
            case .interleaved(let plane): kernel.makeChroma(top, bottom, to: plane.row(place), width: width)
            case .planar(let cb, let cr):
                guard let pairs else { preconditionFailure("memory for a row of pairs") }
                kernel.makeChroma(top, bottom, to: pairs.base, width: width)
                let columns = Int(cb.width)
                library.split(
                    pairs, to: cb.part(x: 0, y: place, width: columns, height: 1),
                    cr.part(x: 0, y: place, width: columns, height: 1))
            }
        }
    }

    /// Rows of the turned picture, of four bytes a pixel.
    private func band(from start: Int, rows: Int, width: Int, copy: Plane?, turned: Plane?) -> Plane {
        // In a quarter turn, rows are columns of the source; where they count from its end, so do those of the band.
        let isFromEnd =
            turn.degrees == 180 ? !turn.isFlipped : turn.degrees == 270 || turn.degrees == 0 && turn.isFlipped
        let extent = turn.swapsSides ? source.width : source.height
        let first = isFromEnd ? extent - start - rows : start
        var part =
            turn.swapsSides
            ? source.part(x: first, y: 0, width: rows, height: source.height)
            : source.part(x: 0, y: first, width: source.width, height: rows)
        if let copy {
            let target = copy.part(
                x: 0, y: 0, width: 4 * (turn.swapsSides ? rows : source.width), height: Int(part.height))
            if source.bytesPerPixel == 3 {
                library.widen(part, to: target)
            } else {
                library.copy(part, to: target)
            }
            part = target
        }
        guard let turned else { return part }
        let target = turned.part(x: 0, y: 0, width: 4 * width, height: rows)
        library.turnPixels(part, to: target, turn)
        return target
    }
}

// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

extension Scenario {
    static let encoderPool = Scenario(
        "encoder-pool",
        "Pictures of the session's pool, filled and let go as they are encoded, give the same bytes as others."
    ) { context, findings in
        let configuration = context.configuration()
        let video = ScenarioContext.video(for: configuration)
        let session = try await prepared(configuration, context)
        let pool = session.pixelBufferPool
        let run = try await ScenarioContext.run(
            session, GivenFrame.series(count),
            picture: { index throws(EncoderError) in
                var buffer = try pool.makeMutablePixelBuffer()
                buffer.fill(with: try video.picture(at: index))
                return PixelBuffer(buffer)
            })
        findings.add(run.check(findings.scenario), in: "the session's pool")
        let plain = try await ScenarioContext.run(
            prepared(configuration, context), GivenFrame.series(count),
            picture: { index throws(EncoderError) in try video.picture(at: index) })
        findings.expect(run.stream == plain.stream, "the bytes that pictures in memory give", seen: "others")
    }

    /// A session whose encoder is open, so that it has its pool.
    private static func prepared(
        _ configuration: SessionConfiguration, _ context: ScenarioContext
    ) async throws(EncoderError) -> CompressionSession {
        let session = try context.session(configuration)
        try await session.prepare()
        return session
    }

    static let dmaBufs = Scenario(
        "dma-bufs", "Pictures in DMA-BUFs give the same bytes as pictures in memory, mapped or read where they are."
    ) { context, findings in
        let configuration = context.configuration()
        let video = ScenarioContext.video(for: configuration)
        let run = try await context.run(
            configuration, GivenFrame.series(count),
            picture: { index throws(EncoderError) in try PixelBuffer(sharing: try video.picture(at: index)) })
        findings.add(run.check(findings.scenario), in: "DMA-BUFs")
        let plain = try await context.run(configuration, GivenFrame.series(count))
        findings.expect(run.stream == plain.stream, "the bytes that pictures in memory give", seen: "others")
    }

    /// So many that surfaces are used again.
    private static let count = 60
}

extension MutablePixelBuffer {
    /// Copies a picture of the same format and size.
    fileprivate mutating func fill(with picture: PixelBuffer) {
        for plane in 0..<format.planeCount {
            let (rowBytes, rows) = (
                format.rowBytes(plane: plane, width: width), format.rows(plane: plane, height: height)
            )
            withMutablePlane(plane) { target, targetStride in
                picture.withPlane(plane) { source, sourceStride in
                    for row in 0..<rows {
                        UnsafeMutableRawBufferPointer(rebasing: target[(row * targetStride)...]).copyMemory(
                            from: UnsafeRawBufferPointer(
                                rebasing: source[row * sourceStride..<row * sourceStride + rowBytes]))
                    }
                }
            }
        }
    }
}

extension PixelBuffer {
    /// Puts a picture into a file, which is mapped and passed on as a DMA-BUF is.
    fileprivate convenience init(sharing picture: PixelBuffer) throws(EncoderError) {
        let descriptor = Self.openFile()
        var planes: [DMABuf.Plane] = []
        var bytes: [UInt8] = []
        for plane in 0..<picture.format.planeCount {
            planes.append(.init(offset: bytes.count, bytesPerRow: picture.bytesPerRow(plane: plane)))
            picture.withPlane(plane) { source, _ in bytes += source }
            bytes += [UInt8](repeating: 0, count: -bytes.count & 63)
        }
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else {
            defer { if descriptor >= 0 { close(descriptor) } }
            throw EncoderError(.outOfMemory, reason: "no temporary file: \(String(cString: strerror(errno)))")
        }
        let dmaBuf = DMABuf(objects: [.init(descriptor: descriptor, byteCount: bytes.count)], planes: planes)
        do throws(EncoderError) {
            try self.init(dmaBuf: dmaBuf, format: picture.format, width: picture.width, height: picture.height) {
                close(descriptor)
            }
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// A file without a name; -1 where there is no room for one.
    private static func openFile() -> Int32 {
        guard let file = tmpfile() else { return -1 }
        defer { fclose(file) }
        return dup(fileno(file))
    }
}

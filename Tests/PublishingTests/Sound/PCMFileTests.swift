// SPDX-License-Identifier: MIT

import FoundationEssentials
import Publishing
import TestSupport
import Testing

@Suite final class PCMFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "encoderkit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func file(_ bytes: [UInt8]) throws -> String {
        let url = folder.appending(path: "sound.wav")
        try Data(bytes).write(to: url)
        return url.path
    }

    private func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A WAV file of samples of one kind.
    private func wav(
        tag: Int = 1, channels: Int = 2, rate: Int = 44_100, bits: Int = 16, data: [UInt8], size: Int? = nil,
        before: [UInt8] = []
    ) -> [UInt8] {
        let frame = channels * bits / 8
        let format =
            little(tag, 2) + little(channels, 2) + little(rate, 4) + little(rate * frame, 4) + little(frame, 2)
            + little(bits, 2)
        return Array("RIFF".utf8) + little(36 + data.count, 4) + Array("WAVE".utf8) + before + Array("fmt ".utf8)
            + little(16, 4) + format + Array("data".utf8) + little(size ?? data.count, 4) + data
    }

    private func all(_ source: PCMFile) throws -> [Float] {
        var source = source
        var samples: [Float] = []
        while let block = try source.next() { samples += block.samples }
        return samples
    }

    @Test(
        "each kind of sample is read to full scale",
        arguments: [
            (1, 8, "00 80 C0 FF", [-1, 0, 0.5, 127 / 128.0]),
            (1, 16, "0080 0000 0040 FF7F", [-1, 0, 0.5, 32_767 / 32_768.0]),
            (1, 24, "000080 000000 000040 FFFFFF", [-1, 0, 0.5, -1 / 8_388_608.0]),
            (1, 32, "00000080 00000000 00000040 00000020", [-1, 0, 0.5, 0.25]),
            (3, 32, "000080BF 00000000 0000003F 0000803E", [-1, 0, 0.5, 0.25]),
            (3, 64, "000000000000F0BF 0000000000000000 000000000000E03F 000000000000D03F", [-1, 0, 0.5, 0.25]),
        ] as [(Int, Int, String, [Float])])
    func kinds(tag: Int, bits: Int, data: String, samples: [Float]) throws {
        let source = try PCMFile(path: file(wav(tag: tag, bits: bits, data: Hex.bytes(data))))
        #expect(source.format.sampleRate == 44_100 && source.format.channelCount == 2)
        #expect(try all(source) == samples)
        let bare = try PCMFile(path: file(Hex.bytes(data)), format: source.format)
        #expect(try all(bare) == samples)
    }

    @Test("chunks before the samples are passed over, those behind them are no samples")
    func chunks() throws {
        let list = Array("LIST".utf8) + little(3, 4) + [1, 2, 3, 0]
        let bytes = wav(data: Hex.bytes("0040 0040"), before: list) + list
        #expect(try all(PCMFile(path: file(bytes))) == [0.5, 0.5])
    }

    @Test("a writer into a pipe that knows no size leaves all that follows", arguments: [0, 0xFFFF_FFFF, 0x7FFF_FFFF])
    func unknownSize(size: Int) throws {
        #expect(try all(PCMFile(path: file(wav(data: Hex.bytes("0040 0040 00C0 00C0"), size: size)))).count == 4)
    }

    @Test("long files come in blocks, and the rest")
    func blocks() throws {
        var source = try PCMFile(path: file(wav(data: [UInt8](repeating: 0, count: 4 * 10_000))))
        var counts: [Int] = []
        while let block = try source.next() { counts.append(block.frameCount) }
        #expect(counts == [4096, 4096, 1808])
    }

    @Test("a file cut off anywhere gives its whole sample frames and then says so, or is refused")
    func cutOff() throws {
        let whole = wav(data: Hex.bytes("0040 0040 00C0 00C0 0020 0020"))
        for count in 0..<whole.count {
            do {
                var source = try PCMFile(path: file(Array(whole.prefix(count))))
                var frames = 0
                let error = #expect(throws: PublishingError.self) {
                    while let block = try source.next() { frames += block.frameCount }
                }
                #expect(error?.code == .corrupt && frames == (count - 44) / 4)
            } catch let error as PublishingError {
                #expect(error.code == .corrupt && count < 44)
            }
        }
        let bare = PCMFormat(sampleRate: 8000, channelCount: 2)
        var source = try PCMFile(path: file(Hex.bytes("0040 0040 00")), format: bare)
        #expect(try source.next()?.frameCount == 1)
        #expect(throws: PublishingError.self) { try source.next() }
    }

    @Test("coded sound, other files and no files are refused with what would do")
    func refused() throws {
        let coded = #expect(throws: PublishingError.self) { try PCMFile(path: file(wav(tag: 85, data: [0, 0, 0, 0]))) }
        #expect(
            coded?.code == .unsupported
                && coded?.reason.contains("samples of kind 85 with 16 bits, expected PCM") == true)
        let other = #expect(throws: PublishingError.self) { try PCMFile(path: file(Array("OggS00000000000".utf8))) }
        #expect(other?.code == .corrupt)
        let none = #expect(throws: PublishingError.self) { try PCMFile(path: folder.appending(path: "none.wav").path) }
        #expect(none?.code == .cannotOpen)
        let rate = #expect(throws: PublishingError.self) { try PCMFile(path: file(wav(rate: 0, data: [0, 0, 0, 0]))) }
        #expect(
            rate?.reason.hasSuffix("sound.wav: sample rate 0, expected 1000...768000") == true, "\(rate?.reason ?? "")")
        #expect(throws: PublishingError.self) {
            try PCMFile(path: file([]), format: PCMFormat(sampleRate: 48_000, channelCount: 0))
        }
    }

    @Test("samples that are no numbers are refused")
    func noNumbers() throws {
        var source = try PCMFile(path: file(wav(tag: 3, bits: 32, data: Hex.bytes("0000C07F 00000000"))))
        let error = #expect(throws: PublishingError.self) { try source.next() }
        #expect(error?.code == .invalidValue && error?.reason.contains("sound.wav: ") == true)
    }

    @Test("every refusal of a file names it", arguments: [(0, 44_100), (300, 44_100), (2, 0), (2, 7), (2, 800_000)])
    func named(channels: Int, rate: Int) throws {
        let path = try file(wav(channels: channels, rate: rate, data: [0, 0, 0, 0]))
        let errors = [
            #expect(throws: PublishingError.self) { try PCMFile(path: path) },
            #expect(throws: PublishingError.self) {
                try PCMFile(path: path, format: PCMFormat(sampleRate: rate, channelCount: channels))
            },
        ]
        #expect(errors.allSatisfy { $0?.reason.hasPrefix(path) == true }, "\(errors)")
    }

    @Test("a size of samples that ends inside a sample frame is told, whether the file has the rest or not")
    func halfFrame() throws {
        for extra in [[], [0, 0, 0, 0]] as [[UInt8]] {
            var source = try PCMFile(path: file(wav(data: Hex.bytes("0040 0040 00") + extra, size: 5)))
            #expect(try source.next()?.frameCount == 1)
            let error = #expect(throws: PublishingError.self) { try source.next() }
            #expect(error?.code == .corrupt)
        }
    }

    @Test("files of the forms for more than 4 GiB are read by their 64-bit size", arguments: ["RF64", "BW64"])
    func large(name: String) throws {
        let sizes = Array("ds64".utf8) + little(28, 4) + little(100, 8) + little(4, 8) + little(1, 8) + little(0, 4)
        let bytes = wav(data: Hex.bytes("0040 0040"), size: 0xFFFF_FFFF, before: sizes) + Array("LIST".utf8)
        #expect(try all(PCMFile(path: file(Array(name.utf8) + bytes.dropFirst(4)))) == [0.5, 0.5])
        let none = Array("ds64".utf8) + little(28, 4) + little(100, 8) + little(0, 20)
        let faulty = wav(data: Hex.bytes("0040 0040"), size: 0xFFFF_FFFF, before: none)
        let error = #expect(throws: PublishingError.self) {
            try PCMFile(path: file(Array(name.utf8) + faulty.dropFirst(4)))
        }
        #expect(error?.code == .corrupt && error?.reason.contains("ds64") == true)
    }
}

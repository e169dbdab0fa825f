// SPDX-License-Identifier: MIT

import Foundation
import ParameterSets
import TestSupport
import Testing

@Suite struct PageExampleTests {
    @Test(
        "the access units' example finds the packets and key frames that ffprobe finds, in open groups of pictures too",
        .requiresProgram(.ffmpeg), .requiresProgram("ffprobe"), arguments: ["libx264", "libx265"])
    func keyFrames(encoder: String) async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path(encoder == "libx264" ? "clip.h264" : "clip.hevc")
            try await ExternalProgram.ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25", "-frames:v", "40", "-pix_fmt",
                "yuv420p",
                "-c:v", encoder, "-\(encoder.dropFirst(3))-params",
                "open-gop=1:keyint=12:min-keyint=12:scenecut=0:bframes=2", path,
            ])
            let stream = try [UInt8](Data(contentsOf: URL(filePath: path)))
            let units =
                if encoder == "libx264" {
                    try accessUnits(of: stream, as: H264NALUnit.self, with: H264AccessUnitDetector())
                } else {
                    try accessUnits(of: stream, as: HEVCNALUnit.self, with: HEVCAccessUnitDetector())
                }
            let probed = try await ExternalProgram.ffprobe.run([
                "-v", "error", "-show_entries", "packet=flags", "-of", "csv=p=0", path,
            ])
            let flags = probed.text.split(separator: "\n").map { $0.hasPrefix("K") }
            #expect(units.map(\.isKeyFrame) == flags && flags.count == 40 && flags.filter { $0 }.count == 4)
            #expect(AnnexB.nalUnitRanges(in: stream).map { Array(stream[$0]) } == units.flatMap(\.nalUnits))
        }
    }

    @Test("the making examples' records are described as what they were made of")
    func making() throws {
        let descriptions = try [
            SequenceDescription(avcC: makeAVCRecord()), SequenceDescription(hvcC: makeHEVCRecord()),
        ]
        #expect(descriptions.map(\.level) == ["4", "4"] && descriptions.map(\.profile) == ["High", "Main"])
        for description in descriptions {
            #expect(description.displaySize == PictureSize(width: 1920, height: 1080))
            #expect(description.frameRate == Ratio(30000, 1001) && description.color == nil)
        }
        let record = try AVCDecoderConfiguration(bytes: makeAVCRecord())
        let before = record.sequenceParameterSets[0]
        let changed = try tellBT709(in: [0x27] + before.dropFirst())
        #expect(changed.first == 0x27)
        var (old, new) = try (H264SPS(nalUnit: before), H264SPS(nalUnit: changed))
        #expect(new.color?.primariesName == "BT.709" && new.frameRate == old.frameRate)
        old.vui?.videoSignalType = nil
        new.vui?.videoSignalType = nil
        #expect(old == new)
        var signal = VideoSignalType()
        (signal.videoFormat, signal.videoFullRangeFlag) = (1, true)
        old.vui?.videoSignalType = signal
        let kept = try H264SPS(nalUnit: tellBT709(in: old.nalUnit())).vui?.videoSignalType
        #expect(kept?.videoFormat == 1 && kept?.videoFullRangeFlag == true && kept?.color?.primariesName == "BT.709")
    }

    @Test("the SEI example tells each message")
    func messages() throws {
        var (display, light, point) = (MasteringDisplay(), ContentLightLevel(), HEVCRecoveryPoint())
        display.maxDisplayMasteringLuminance = 10_000_000
        light.maxContentLightLevel = 755
        point.recoveryPocCnt = 3
        let captions = A53Captions(triplets: [.init(type: 0, data: [0x80, 0x80])])
        let payloads: [HEVCSEIPayload] = [
            .common(.masteringDisplay(display)), .common(.contentLightLevel(light)),
            .common(.userDataRegistered(try captions.userData())),
            .common(.userDataUnregistered(.init(uuid: [UInt8](repeating: 7, count: 16), payload: Array("x".utf8)))),
            .recoveryPoint(point), .common(.other(payloadType: 200, OpaqueBits([1]))),
        ]
        let lines = try payloads.flatMap { try describeSEI(seiUnit(of: $0, in: .init()), in: .init()) }
        #expect(
            lines == [
                "mastered at 1000.0 cd/m2", "at most 755 cd/m2", "1 captions", "x",
                "pictures are right 3 after this one",
                "payload type 200",
            ])
        let unit = HEVCNALUnit(header: .init(type: .prefixSEI), payload: .sei(SEIMessages(payloads)))
        #expect(try describeSEI(unit.nalUnit(in: .init()), in: .init()) == lines && unit.isRandomAccessPoint)
        #expect(try describeSEI(HEVCPPS().nalUnit(), in: .init()).isEmpty)
    }
}

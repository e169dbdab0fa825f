// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite struct HostileRecordTests {
    /// Flips, cuts and splices; those that `write` gives bytes for give the same bytes.
    private func expectRefusedOrKept(_ records: [[UInt8]], _ write: ([UInt8]) -> [UInt8]?) {
        var (refused, kept) = (0, 0)
        func take(_ bytes: [UInt8]) {
            guard let written = write(bytes) else {
                refused += 1
                return
            }
            #expect(written == bytes)
            kept += 1
        }
        for record in records {
            #expect(write(record) == record)
            Mutations.flips(of: record).forEach(take)
            Mutations.cuts(of: record).forEach(take)
            for other in records where other != record {
                Mutations.splices(of: record, and: other).forEach(take)
            }
        }
        #expect(refused > 100 && kept > 100, "\(refused) refused, \(kept) kept")
    }

    @Test("avcC records with flipped bits, cut or spliced are refused or written back as read")
    func avcC() throws {
        let records = try H264Vectors.all.map { sps, pps in
            try AVCDecoderConfiguration(sequenceParameterSets: [sps], pictureParameterSets: [pps, pps]).bytes
        }
        expectRefusedOrKept(records) { bytes in
            guard var record = try? AVCDecoderConfiguration(bytes: bytes) else { return nil }
            var writer = SyntaxWriter()
            return (try? record.code(with: &writer)) == nil ? [] : writer.bytes
        }
    }

    @Test("hvcC records with flipped bits, cut or spliced are refused or written back as read")
    func hvcC() throws {
        let records = try HEVCVectors.all.map { vectors in
            try HEVCDecoderConfiguration(
                videoParameterSets: [vectors.vps], sequenceParameterSets: [vectors.sps],
                pictureParameterSets: [vectors.pps, vectors.pps]
            ).bytes
        }
        expectRefusedOrKept(records) { bytes in
            guard var record = try? HEVCDecoderConfiguration(bytes: bytes) else { return nil }
            var writer = SyntaxWriter()
            return (try? record.code(with: &writer)) == nil ? [] : writer.bytes
        }
    }
}

// SPDX-License-Identifier: MIT

import EncoderAPI
import LibAV

/// Writes the packets of one track one after the other: pictures with start codes, or AAC with ADTS headers.
final class BarePacketWriter: PacketWriter {
    private let target: any ByteTarget

    init(to target: any ByteTarget) { self.target = target }

    /// The times are not written.
    func timescale(_: Int) -> Int32 { 90_000 }

    func write(
        _ packet: MediaPacket, _: ContainerClock.Ticks, track: Int, isFormatNew: Bool
    ) throws(PublishingError) {
        switch packet.format {
        case .video(let format):
            let framing = AccessUnitFraming(format, data: packet.bytes, nalUnits: packet.nalUnits)
            try target.write(framing.annexB(carryingSets: packet.isKey || isFormatNew))
        case .audio(let format):
            try target.write(try ADTS.packet(packet.data, format))
        }
    }

    func finish() {}
}

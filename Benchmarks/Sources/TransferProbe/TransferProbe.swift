// SPDX-License-Identifier: MIT

import CTransferPeers
import EncoderAPI
import Glibc
import PictureTransfer

/// One transfer timed beside the same of libswscale or libyuv, in pairs, on one thread.
///
///     TransferProbe FROM TO WIDTH HEIGHT PEER ROUNDS
///
/// FROM is bgra, i420 or nv12 at 1920x1080; PEER is libyuv, or fast, bilinear or area for libswscale's filters. Prints
/// a line for each round: milliseconds here, milliseconds there.
@main
enum TransferProbe {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().map { $0 }
        guard arguments.count == 6, let from = PixelFormat(rawValue: arguments[0]),
            let to = PixelFormat(rawValue: arguments[1]), let width = Int(arguments[2]), let height = Int(arguments[3]),
            let rounds = Int(arguments[5])
        else { fatalError("TransferProbe FROM TO WIDTH HEIGHT PEER ROUNDS") }
        let source = try noise(from, 1920, 1080)
        var target = try MutablePixelBuffer(format: to, width: width, height: height)
        target.color = .bt709
        var other = try MutablePixelBuffer(format: to, width: width, height: height)
        let session = PixelTransferSession()
        var given = peer(source)
        var taken = peer(&other)
        let scaler = arguments[4] == "libyuv" ? nil : peer_swscale_open(&given, &taken, arguments[4])
        defer { if let scaler { peer_swscale_close(scaler) } }
        func here() throws -> Double {
            let start = milliseconds
            try session.transfer(source, to: &target)
            return milliseconds - start
        }
        func there() -> Double {
            let start = milliseconds
            if let scaler { peer_swscale_run(scaler, &given, &taken) } else { peer_libyuv_run(&given, &taken) }
            return milliseconds - start
        }
        for round in -5..<rounds {
            var times = (0.0, 0.0)
            if round % 2 == 0 {
                times.0 = try here()
                times.1 = there()
            } else {
                times.1 = there()
                times.0 = try here()
            }
            if round >= 0 { print(times.0, times.1) }
        }
    }

    private static var milliseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }

    private static func noise(_ format: PixelFormat, _ width: Int, _ height: Int) throws -> PixelBuffer {
        var picture = try MutablePixelBuffer(format: format, width: width, height: height)
        var state: UInt32 = 1
        for plane in 0..<format.planeCount {
            picture.withMutablePlane(plane) { bytes, _ in
                for index in bytes.indices {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    bytes[index] = UInt8(truncatingIfNeeded: state >> 24)
                }
            }
        }
        return PixelBuffer(picture)
    }

    private static func peerFormat(_ format: PixelFormat) -> peer_format {
        format == .bgra ? peer_bgra : format == .i420 ? peer_i420 : peer_nv12
    }

    private static func peer(_ picture: PixelBuffer) -> peer_picture {
        var peer = peer_picture()
        peer.format = peerFormat(picture.format)
        (peer.width, peer.height) = (CInt(picture.width), CInt(picture.height))
        set(&peer, picture.format.planeCount) { plane in
            (UnsafeMutableRawPointer(mutating: picture.unsafeAddress(plane: plane)), picture.bytesPerRow(plane: plane))
        }
        return peer
    }

    private static func peer(_ picture: inout MutablePixelBuffer) -> peer_picture {
        var peer = peer_picture()
        peer.format = peerFormat(picture.format)
        (peer.width, peer.height) = (CInt(picture.width), CInt(picture.height))
        var planes: [(UnsafeMutableRawPointer?, Int)] = []
        for plane in 0..<picture.format.planeCount {
            picture.withMutablePlane(plane) { bytes, stride in planes.append((bytes.baseAddress, stride)) }
        }
        set(&peer, planes.count) { planes[$0] }
        return peer
    }

    private static func set(
        _ peer: inout peer_picture, _ count: Int, _ plane: (Int) -> (UnsafeMutableRawPointer?, Int)
    ) {
        let planes = (0..<3).map { $0 < count ? plane($0) : (nil, 0) }
        let bases = planes.map { $0.0?.assumingMemoryBound(to: UInt8.self) }
        peer.planes = (bases[0], bases[1], bases[2])
        peer.strides = (CInt(planes[0].1), CInt(planes[1].1), CInt(planes[2].1))
    }
}

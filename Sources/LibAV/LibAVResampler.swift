// SPDX-License-Identifier: MIT

import CLibAV

/// Sole owner of one converter of sample rates, which can also stretch what it converts.
///
/// Used on one thread at a time. What it gives is a little behind what it was given, by the length of its filter;
/// ``finish()`` gives the rest.
package final class LibAVResampler {
    private let functions: CLibAVResampling
    private let av: CLibAV
    private let context: OpaquePointer
    private let channelCount: Int
    private var isStretching = false

    /// Whether libswresample is installed.
    package static var isAvailable: Bool { (try? load()) != nil }

    /// Makes a converter of interleaved samples.
    ///
    /// - Throws: ``LibAVError`` with `.libraryMissing`, naming the Debian package; `.failure` where the library refuses
    ///   the rates.
    package init(from rate: Int, to outputRate: Int, channels: Int) throws(LibAVError) {
        functions = try Self.load()
        av = try LibAV.load()
        channelCount = channels
        var layout = AVChannelLayout()
        av.av_channel_layout_default(&layout, CInt(clamping: channels))
        var made: OpaquePointer?
        var outputLayout = layout
        let status = functions.swr_alloc_set_opts2(
            &made, &outputLayout, AV_SAMPLE_FMT_FLT, CInt(clamping: outputRate), &layout, AV_SAMPLE_FMT_FLT,
            CInt(clamping: rate), 0, nil)
        guard status >= 0, let context = made else {
            throw LibAVError(.outOfMemory, reason: "no memory to convert sample rates", status: Int(status))
        }
        self.context = context
        // Stretching needs the filter also where the rates are equal; asking for it turns it on.
        let prepared = functions.swr_init(context)
        let opened = prepared < 0 ? prepared : functions.swr_set_compensation(context, 0, 0)
        guard opened >= 0 else {
            throw LibAVError(
                .failure, reason: "libswresample converts no \(rate) Hz to \(outputRate) Hz: \(av.message(opened))",
                status: Int(opened))
        }
    }

    deinit {
        var context: OpaquePointer? = context
        functions.swr_free(&context)
    }

    private static func load() throws(LibAVError) -> CLibAVResampling { try LibAV.loading(clibav_load_resampling) }
}

// MARK: - Converting

extension LibAVResampler {
    /// Converts sample frames.
    ///
    /// - Parameters:
    ///   - samples: Interleaved, at the rate of what comes in.
    ///   - added: How many sample frames more, with a minus fewer, at that rate, it makes of these: less than a tenth.
    /// - Returns: Interleaved samples at the rate of what goes out.
    /// - Throws: ``LibAVError`` with `.failure`.
    package func convert(_ samples: ArraySlice<Float>, adding added: Int = 0) throws(LibAVError) -> [Float] {
        let count = samples.count / channelCount
        guard count > 0 else { return [] }
        if added != 0 || isStretching {
            // The library counts in what goes out. Only the part matters: the next call sets another.
            let scale = max(1, min(1000, Int(Int32.max) / max(1, count * 2)))
            let status = functions.swr_set_compensation(
                context, CInt(clamping: added * scale), CInt(clamping: (count + added) * scale))
            guard status >= 0 else { throw failed(status) }
            isStretching = added != 0
        }
        let result = samples.withUnsafeBytes { bytes in
            var input = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return Result { () throws(LibAVError) in try run(&input, count: count) }
        }
        return try result.get()
    }

    /// Gives what is left in the filter; call once.
    package func finish() throws(LibAVError) -> [Float] {
        var input: UnsafePointer<UInt8>?
        return try run(&input, count: 0)
    }

    private func run(_ input: inout UnsafePointer<UInt8>?, count: Int) throws(LibAVError) -> [Float] {
        // What stretching adds is not in the library's bound.
        let room = Int(functions.swr_get_out_samples(context, CInt(clamping: count))) * 11 / 10 + 64
        var output = [Float](repeating: 0, count: room * channelCount)
        let isEnd = input == nil
        let made = output.withUnsafeMutableBytes { bytes in
            var target = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return isEnd
                ? functions.swr_convert(context, &target, CInt(clamping: room), nil, 0)
                : functions.swr_convert(context, &target, CInt(clamping: room), &input, CInt(clamping: count))
        }
        guard made >= 0 else { throw failed(made) }
        output.removeLast((room - Int(made)) * channelCount)
        return output
    }

    private func failed(_ status: CInt) -> LibAVError {
        LibAVError(.failure, reason: "libswresample failed: \(av.message(status))", status: Int(status))
    }
}

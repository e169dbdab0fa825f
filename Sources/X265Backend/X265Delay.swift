// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import BackendSupport

/// How many pictures libx265 holds, from what makes it hold them.
///
/// Measured on 3.5 with all presets and with chosen values: a lookahead of L pictures, b B pictures and t frame threads
/// hold L + b + 2 + t pictures, and the oldest of them is up to the reorder depth older than their number says. Without
/// lookahead and B pictures, one frame thread gives every picture out at once.
///
/// With a pool of threads the lookahead decides beside the calls, and once in some thousand pictures a call finds it
/// undecided and gives out nothing: 13 pictures were held where 12 should be, with no B pictures, a lookahead of 9 and
/// forced key frames, at pictures 84, 864 and 4742 of three runs of 20,000 through a session; 180,000 pictures given to
/// the library by a bare loop never showed it.
struct X265Delay: Hashable {
    /// Pictures the slice-type decision looks ahead.
    var lookahead: Int
    /// Consecutive B pictures at most.
    var bPictures: Int
    /// Frames coded at once.
    var frameThreads: Int
    /// Whether B pictures may be references of others.
    var usesPyramid = true
    /// Slices per picture at most.
    var slices = 1
    /// Whether threads of a pool run the lookahead.
    var usesPool = false

    /// Pictures by which decode order may lag behind display order, as libx265 signals it.
    var reorderDepth: Int { bPictures > 1 && usesPyramid ? 2 : min(bPictures, 1) }

    /// The smallest M for which picture N - M is out before the call with picture N returns.
    var maximumDelay: Int {
        if lookahead == 0 && bPictures == 0 { return frameThreads == 1 && slices == 1 ? 0 : frameThreads }
        return max(lookahead, 1) + bPictures + 2 + frameThreads + reorderDepth + (usesPool ? 1 : 0)
    }

    /// This delay with one frame thread, then less lookahead, then fewer B pictures, then none of both, so that it
    /// holds at most `limit`.
    func limited(to limit: Int) -> X265Delay {
        var delay = self
        // With nothing said about frame threads libx265 takes up to 16, by the number of cores.
        if delay.frameThreads == 0 { delay.frameThreads = 16 }
        if delay.maximumDelay <= limit { return self }
        delay.frameThreads = 1
        for count in stride(from: bPictures, through: 0, by: -1) {
            delay.bPictures = count
            delay.lookahead = min(lookahead, count + 1)  // libx265 asks for more lookahead than B pictures
            guard delay.lookahead > 0, delay.maximumDelay <= limit else { continue }
            delay.lookahead = min(lookahead, delay.lookahead + limit - delay.maximumDelay)
            return delay
        }
        delay.lookahead = 0
        return delay
    }

    /// What holds pictures.
    var held: HeldPictures {
        HeldPictures(
            bPictures: bPictures, lookahead: lookahead, frameThreads: frameThreads == 0 ? nil : frameThreads,
            others: slices > 1 ? ["\(slices) slices a picture"] : [])
    }
}

extension X265Delay {
    /// Reads what parameters say, and whether there is a pool of threads from what was asked for.
    init(_ parameters: x265_param, _ request: SessionConfiguration) {
        usesPool = Self.usesPool(request)
        lookahead = Int(parameters.lookaheadDepth)
        bPictures = Int(parameters.bframes)
        frameThreads = Int(parameters.frameNumThreads)
        usesPyramid = parameters.bBPyramid != 0
        slices = Int(parameters.maxSlices)
    }

    /// Whether there may be a pool of threads: the option `pools` decides where it is given, one thread is none.
    static func usesPool(_ request: SessionConfiguration) -> Bool { pools(request).contains(true) }

    /// Whether there is a pool of threads on any machine: only the first value of `pools` is for a node that each has.
    static func surelyUsesPool(_ request: SessionConfiguration) -> Bool { pools(request).first == true }

    /// Whether each node of processors has threads.
    ///
    /// libx265 reads a number of threads, or none, for each, and "NULL" as all from there on where nothing follows it.
    private static func pools(_ request: SessionConfiguration) -> [Bool] {
        guard let option = request.nativeOptions.last(where: { $0.name.hasSuffix("pools") }), let text = option.value
        else { return [request.threadCount != 1] }
        let nodes = text.split(separator: ",", omittingEmptySubsequences: false)
        return nodes.enumerated().map { index, node in
            ["+", "*"].contains(node) || Int(node) ?? 0 > 0 || (node == "NULL" && index == nodes.count - 1)
        }
    }

    /// Writes what holds pictures into parameters.
    func assign(to parameters: inout x265_param) {
        parameters.lookaheadDepth = Int32(lookahead)
        parameters.bframes = Int32(bPictures)
        parameters.frameNumThreads = Int32(frameThreads)
    }
}

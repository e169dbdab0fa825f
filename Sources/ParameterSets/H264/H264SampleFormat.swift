// SPDX-License-Identifier: MIT

/// The sample format in an SPS (7.3.2.1.1).
public struct H264SampleFormat: SyntaxStructure {
    /// `chroma_format_idc`, 0...3 (table 6-1).
    public var chromaFormatIdc = 1
    /// `separate_colour_plane_flag`: the planes of 4:4:4 are coded like monochrome pictures.
    public var separateColorPlaneFlag = false
    /// `bit_depth_luma_minus8`, 0...6.
    public var bitDepthLumaMinus8 = 0
    /// `bit_depth_chroma_minus8`, 0...6.
    public var bitDepthChromaMinus8 = 0

    /// 4:2:0 in 8 bits.
    public init() {}

    /// The chroma format.
    public var chromaFormat: ChromaFormat { ChromaFormat(rawValue: chromaFormatIdc) ?? .yuv420 }

    /// `ChromaArrayType`: `chroma_format_idc`, or 0 for planes coded separately.
    public var chromaArrayType: Int { separateColorPlaneFlag ? 0 : chromaFormatIdc }

    /// Codes `chroma_format_idc` up to `bit_depth_chroma_minus8`.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.ue("chroma_format_idc", &chromaFormatIdc, 0...3)
        try coder.flag(
            "separate_colour_plane_flag", &separateColorPlaneFlag, when: chromaFormatIdc == 3, else: false)
        try coder.ue("bit_depth_luma_minus8", &bitDepthLumaMinus8, 0...6)
        try coder.ue("bit_depth_chroma_minus8", &bitDepthChromaMinus8, 0...6)
    }
}

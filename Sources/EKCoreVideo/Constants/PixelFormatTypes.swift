// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation

    // Codes of formats, in CoreVideo's order. Buffers are made in those that say so.

    /// The format 1.
    public let kCVPixelFormatType_1Monochrome: OSType = 1
    /// The format 2.
    public let kCVPixelFormatType_2Indexed: OSType = 2
    /// The format 4.
    public let kCVPixelFormatType_4Indexed: OSType = 4
    /// The format 8.
    public let kCVPixelFormatType_8Indexed: OSType = 8
    /// The format 33.
    public let kCVPixelFormatType_1IndexedGray_WhiteIsZero: OSType = 33
    /// The format 34.
    public let kCVPixelFormatType_2IndexedGray_WhiteIsZero: OSType = 34
    /// The format 36.
    public let kCVPixelFormatType_4IndexedGray_WhiteIsZero: OSType = 36
    /// The format 40.
    public let kCVPixelFormatType_8IndexedGray_WhiteIsZero: OSType = 40
    /// The format 16.
    public let kCVPixelFormatType_16BE555: OSType = 16
    /// The format 'L555'.
    public let kCVPixelFormatType_16LE555: OSType = 0x4c35_3535
    /// The format '5551'.
    public let kCVPixelFormatType_16LE5551: OSType = 0x3535_3531
    /// The format 'B565'.
    public let kCVPixelFormatType_16BE565: OSType = 0x4235_3635
    /// The format 'L565'.
    public let kCVPixelFormatType_16LE565: OSType = 0x4c35_3635
    /// The format 24, in which buffers are made.
    public let kCVPixelFormatType_24RGB: OSType = 24
    /// The format '24BG'.
    public let kCVPixelFormatType_24BGR: OSType = 0x3234_4247
    /// The format 32, in which buffers are made.
    public let kCVPixelFormatType_32ARGB: OSType = 32
    /// The format 'BGRA', in which buffers are made.
    public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
    /// The format 'ABGR'.
    public let kCVPixelFormatType_32ABGR: OSType = 0x4142_4752
    /// The format 'RGBA', in which buffers are made.
    public let kCVPixelFormatType_32RGBA: OSType = 0x5247_4241
    /// The format 'b64a'.
    public let kCVPixelFormatType_64ARGB: OSType = 0x6236_3461
    /// The format 'l64r'.
    public let kCVPixelFormatType_64RGBALE: OSType = 0x6c36_3472
    /// The format 'b48r'.
    public let kCVPixelFormatType_48RGB: OSType = 0x6234_3872
    /// The format 'b32a'.
    public let kCVPixelFormatType_32AlphaGray: OSType = 0x6233_3261
    /// The format 'b16g'.
    public let kCVPixelFormatType_16Gray: OSType = 0x6231_3667
    /// The format 'R10k'.
    public let kCVPixelFormatType_30RGB: OSType = 0x5231_306b
    /// The format '2vuy', in which buffers are made.
    public let kCVPixelFormatType_422YpCbCr8: OSType = 0x3276_7579
    /// The format 'v408'.
    public let kCVPixelFormatType_4444YpCbCrA8: OSType = 0x7634_3038
    /// The format 'r408'.
    public let kCVPixelFormatType_4444YpCbCrA8R: OSType = 0x7234_3038
    /// The format 'y408'.
    public let kCVPixelFormatType_4444AYpCbCr8: OSType = 0x7934_3038
    /// The format 'y416'.
    public let kCVPixelFormatType_4444AYpCbCr16: OSType = 0x7934_3136
    /// The format 'v308'.
    public let kCVPixelFormatType_444YpCbCr8: OSType = 0x7633_3038
    /// The format 'v216'.
    public let kCVPixelFormatType_422YpCbCr16: OSType = 0x7632_3136
    /// The format 'v210'.
    public let kCVPixelFormatType_422YpCbCr10: OSType = 0x7632_3130
    /// The format 'v410'.
    public let kCVPixelFormatType_444YpCbCr10: OSType = 0x7634_3130
    /// The format 'y420', in which buffers are made.
    public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
    /// The format 'f420', in which buffers are made.
    public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = 0x6634_3230
    /// The format 'a2vy'.
    public let kCVPixelFormatType_422YpCbCr_4A_8BiPlanar: OSType = 0x6132_7679
    /// The format '420v', in which buffers are made.
    public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
    /// The format '420f', in which buffers are made.
    public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
    /// The format '422v', in which buffers are made.
    public let kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3276
    /// The format '422f'.
    public let kCVPixelFormatType_422YpCbCr8BiPlanarFullRange: OSType = 0x3432_3266
    /// The format '444v'.
    public let kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange: OSType = 0x3434_3476
    /// The format '444f'.
    public let kCVPixelFormatType_444YpCbCr8BiPlanarFullRange: OSType = 0x3434_3466
    /// The format 'yuvs', in which buffers are made.
    public let kCVPixelFormatType_422YpCbCr8_yuvs: OSType = 0x7975_7673
    /// The format 'yuvf'.
    public let kCVPixelFormatType_422YpCbCr8FullRange: OSType = 0x7975_7666
    /// The format 'L008'.
    public let kCVPixelFormatType_OneComponent8: OSType = 0x4c30_3038
    /// The format '2C08'.
    public let kCVPixelFormatType_TwoComponent8: OSType = 0x3243_3038
    /// The format 'w30r'.
    public let kCVPixelFormatType_30RGBLEPackedWideGamut: OSType = 0x7733_3072
    /// The format 'l10r'.
    public let kCVPixelFormatType_ARGB2101010LEPacked: OSType = 0x6c31_3072
    /// The format 'L010'.
    public let kCVPixelFormatType_OneComponent10: OSType = 0x4c30_3130
    /// The format 'L012'.
    public let kCVPixelFormatType_OneComponent12: OSType = 0x4c30_3132
    /// The format 'L016'.
    public let kCVPixelFormatType_OneComponent16: OSType = 0x4c30_3136
    /// The format '2C16'.
    public let kCVPixelFormatType_TwoComponent16: OSType = 0x3243_3136
    /// The format 'L00h'.
    public let kCVPixelFormatType_OneComponent16Half: OSType = 0x4c30_3068
    /// The format 'L00f'.
    public let kCVPixelFormatType_OneComponent32Float: OSType = 0x4c30_3066
    /// The format '2C0h'.
    public let kCVPixelFormatType_TwoComponent16Half: OSType = 0x3243_3068
    /// The format '2C0f'.
    public let kCVPixelFormatType_TwoComponent32Float: OSType = 0x3243_3066
    /// The format 'RGhA'.
    public let kCVPixelFormatType_64RGBAHalf: OSType = 0x5247_6841
    /// The format 'RGfA'.
    public let kCVPixelFormatType_128RGBAFloat: OSType = 0x5247_6641
    /// The format 'hdis'.
    public let kCVPixelFormatType_DisparityFloat16: OSType = 0x6864_6973
    /// The format 'fdis'.
    public let kCVPixelFormatType_DisparityFloat32: OSType = 0x6664_6973
    /// The format 'hdep'.
    public let kCVPixelFormatType_DepthFloat16: OSType = 0x6864_6570
    /// The format 'fdep'.
    public let kCVPixelFormatType_DepthFloat32: OSType = 0x6664_6570
    /// The format 'x420', in which buffers are made.
    public let kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3230
    /// The format 'x422'.
    public let kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3232
    /// The format 'x444'.
    public let kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3434
    /// The format 'xf20', in which buffers are made.
    public let kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: OSType = 0x7866_3230
    /// The format 'xf22'.
    public let kCVPixelFormatType_422YpCbCr10BiPlanarFullRange: OSType = 0x7866_3232
    /// The format 'xf44'.
    public let kCVPixelFormatType_444YpCbCr10BiPlanarFullRange: OSType = 0x7866_3434
    /// Of Apple's devices: BGRA compressed without a loss.
    public let kCVPixelFormatType_Lossless_32BGRA: OSType = 0x2642_4741
    /// Of Apple's devices: 420v compressed without a loss.
    public let kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange: OSType = 0x2638_7630
    /// Of Apple's devices: 420f compressed without a loss.
    public let kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange: OSType = 0x2638_6630
    /// Of Apple's devices: ten bits in 4:2:0 compressed without a loss.
    public let kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2678_7630
    /// Of Apple's devices: ten bits in 4:2:2 compressed without a loss.
    public let kCVPixelFormatType_Lossless_422YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2678_7632
    /// Of Apple's devices: BGRA compressed with a loss.
    public let kCVPixelFormatType_Lossy_32BGRA: OSType = 0x2d42_4741
    /// Of Apple's devices: 420v compressed with a loss.
    public let kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarVideoRange: OSType = 0x2d38_7630
    /// Of Apple's devices: 420f compressed with a loss.
    public let kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarFullRange: OSType = 0x2d38_6630
    /// Of Apple's devices: ten bits in 4:2:0 compressed with a loss.
    public let kCVPixelFormatType_Lossy_420YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2d78_7630
    /// Of Apple's devices: ten bits in 4:2:2 compressed with a loss.
    public let kCVPixelFormatType_Lossy_422YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2d78_7632
#endif

import Glibc
import KinLoop

/// What libgd and libheif take by themselves: loaded into this process, without walls and without a way there and back.
enum BarePictures {
    typealias Pointer = UnsafeMutableRawPointer

    /// A function of a library by its name. The caller gives its type as the library's header has it.
    private static func function<Function>(_ name: String, _ library: Pointer, as type: Function.Type) throws(Trouble)
        -> Function
    {
        guard let symbol = dlsym(library, name) else { throw Trouble("There is no \(name) in the library.") }
        return unsafeBitCast(symbol, to: type)
    }

    /// Microseconds of CPU time of all threads of this process.
    private static var processMicroseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1000
    }

    // MARK: libgd

    private typealias FromJPEG = @convention(c) (Int32, Pointer?) -> Pointer?
    private typealias Create = @convention(c) (Int32, Int32) -> Pointer?
    private typealias Side = Int32
    private typealias Resample =
        @convention(c) (Pointer?, Pointer?, Side, Side, Side, Side, Side, Side, Side, Side) -> Void
    private typealias ToJPEG = @convention(c) (Pointer?, UnsafeMutablePointer<Int32>?, Int32) -> Pointer?
    private typealias Release = @convention(c) (Pointer?) -> Void

    /// Microseconds of CPU time for three sizes of a JPEG by libgd: decoded whole, each size resampled from the one before,
    /// and encoded. The best of some rounds.
    static func jpegByGD(
        _ jpeg: [UInt8], width: Int, height: Int, sides: [Int], rounds: Int
    ) throws(Trouble) -> (decode: Double, resample: Double, encode: Double) {
        guard let library = dlopen("libgd.so.3", RTLD_NOW) else { throw Trouble("libgd.so.3 is not installed.") }
        defer { dlclose(library) }
        let decode = try function("gdImageCreateFromJpegPtr", library, as: FromJPEG.self)
        let create = try function("gdImageCreateTrueColor", library, as: Create.self)
        let resample = try function("gdImageCopyResampled", library, as: Resample.self)
        let encode = try function("gdImageJpegPtr", library, as: ToJPEG.self)
        let free = try function("gdFree", library, as: Release.self)
        let destroy = try function("gdImageDestroy", library, as: Release.self)
        var best = (decode: Double.infinity, resample: Double.infinity, encode: Double.infinity)
        var bytes = jpeg
        for _ in 0..<rounds {
            let start = Clock.threadMicroseconds
            guard var image = bytes.withUnsafeMutableBytes({ decode(Int32($0.count), $0.baseAddress) }) else {
                throw Trouble("libgd does not open the JPEG.")
            }
            defer { destroy(image) }
            best.decode = min(best.decode, Clock.threadMicroseconds - start)
            var (resampled, encoded) = (0.0, 0.0)
            var (oldWidth, oldHeight) = (width, height)
            for side in sides {
                let (newWidth, newHeight) = (side, side * height / width)
                let before = Clock.threadMicroseconds
                guard let smaller = create(Int32(newWidth), Int32(newHeight)) else {
                    throw Trouble("There is no memory.")
                }
                resample(
                    smaller, image, 0, 0, 0, 0, Int32(newWidth), Int32(newHeight), Int32(oldWidth), Int32(oldHeight))
                destroy(image)
                image = smaller
                (oldWidth, oldHeight) = (newWidth, newHeight)
                let between = Clock.threadMicroseconds
                var count: Int32 = 0
                free(encode(image, &count, 85))
                resampled += between - before
                encoded += Clock.threadMicroseconds - between
            }
            best.resample = min(best.resample, resampled)
            best.encode = min(best.encode, encoded)
        }
        return best
    }

    // MARK: libheif

    /// `struct heif_error` is two numbers of 32 bits and a pointer: it comes in two registers, of which the first has the
    /// code in its lower half (System V and AArch64 procedure calls). 0 is good.
    private typealias Outcome = UInt64
    private typealias Made = UnsafeMutablePointer<Pointer?>?
    private typealias Alloc = @convention(c) () -> Pointer?
    private typealias ReadMemory = @convention(c) (Pointer?, UnsafeRawPointer?, Int, Pointer?) -> Outcome
    private typealias Primary = @convention(c) (Pointer?, Made) -> Outcome
    private typealias Decode = @convention(c) (Pointer?, Made, Int32, Int32, Pointer?) -> Outcome
    private typealias CreateImage = @convention(c) (Int32, Int32, Int32, Int32, Made) -> Outcome
    private typealias AddPlane = @convention(c) (Pointer?, Int32, Int32, Int32, Int32) -> Outcome
    private typealias Plane = @convention(c) (Pointer?, Int32, UnsafeMutablePointer<Int32>?) -> Pointer?
    private typealias Encoder = @convention(c) (Pointer?, Int32, Made) -> Outcome
    private typealias Encode = @convention(c) (Pointer?, Pointer?, Pointer?, Pointer?, Made) -> Outcome
    private typealias WriteFile = @convention(c) (Pointer?, UnsafePointer<CChar>?) -> Outcome

    /// `heif_colorspace_RGB`, `heif_chroma_interleaved_RGB` and `heif_channel_interleaved`, `heif_compression_HEVC`.
    private static let (rgb, interleaved, hevc): (Int32, Int32, Int32) = (1, 10, 1)

    private static func loadHEIF() throws(Trouble) -> Pointer {
        guard let library = dlopen("libheif.so.1", RTLD_NOW) else { throw Trouble("libheif.so.1 is not installed.") }
        return library
    }

    private static func check(_ outcome: Outcome, _ what: String) throws(Trouble) {
        guard UInt32(truncatingIfNeeded: outcome) == 0 else { throw Trouble("libheif does not \(what).") }
    }

    /// A picture as HEIC, where libheif has an encoder: colours that flow into each other, with the grain of a camera.
    static func heic(width: Int, height: Int, in folder: String) throws(Trouble) -> [UInt8] {
        let library = try loadHEIF()
        defer { dlclose(library) }
        let allocate = try function("heif_context_alloc", library, as: Alloc.self)
        let free = try function("heif_context_free", library, as: Release.self)
        var (image, encoder): (Pointer?, Pointer?) = (nil, nil)
        let context = allocate()
        defer { free(context) }
        try check(
            try function("heif_context_get_encoder_for_format", library, as: Encoder.self)(context, hevc, &encoder),
            "encode HEVC: there is no encoder here")
        defer { try? function("heif_encoder_release", library, as: Release.self)(encoder) }
        try check(
            try function("heif_image_create", library, as: CreateImage.self)(
                Int32(width), Int32(height), rgb, interleaved, &image), "make a picture")
        defer { try? function("heif_image_release", library, as: Release.self)(image) }
        try check(
            try function("heif_image_add_plane", library, as: AddPlane.self)(
                image, interleaved, Int32(width), Int32(height), 8), "make a plane")
        var stride: Int32 = 0
        guard let plane = try function("heif_image_get_plane", library, as: Plane.self)(image, interleaved, &stride)
        else { throw Trouble("libheif gives no plane.") }
        var noise: UInt32 = 42
        for y in 0..<height {
            for x in 0..<(3 * width) {
                noise = noise &* 1_664_525 &+ 1_013_904_223
                let wave = abs((x / 3 * (x % 3 + 2) / 5 + y * 3 / 4) % 400 - 200)
                let sample = UInt8(20 + wave + Int(noise >> 28))
                plane.storeBytes(of: sample, toByteOffset: y * Int(stride) + x, as: UInt8.self)
            }
        }
        try check(
            try function("heif_context_encode_image", library, as: Encode.self)(context, image, encoder, nil, nil),
            "encode the picture")
        let path = folder + "/bare.heic"
        try check(try function("heif_context_write_to_file", library, as: WriteFile.self)(context, path), "write")
        defer { unlink(path) }
        return try attempt { try KinLoop.Files.read(path, max: 64 << 20) }
    }

    /// Microseconds of CPU time for decoding a HEIC by libheif, and nothing else. The best of some rounds.
    static func decodeHEIC(_ heic: [UInt8], rounds: Int) throws(Trouble) -> Double {
        let library = try loadHEIF()
        defer { dlclose(library) }
        let allocate = try function("heif_context_alloc", library, as: Alloc.self)
        let read = try function("heif_context_read_from_memory_without_copy", library, as: ReadMemory.self)
        let primary = try function("heif_context_get_primary_image_handle", library, as: Primary.self)
        let decode = try function("heif_decode_image", library, as: Decode.self)
        let releaseImage = try function("heif_image_release", library, as: Release.self)
        let releaseHandle = try function("heif_image_handle_release", library, as: Release.self)
        let free = try function("heif_context_free", library, as: Release.self)
        var best = Double.infinity
        for _ in 0..<rounds {
            let start = processMicroseconds
            let outcome = heic.withUnsafeBytes { bytes -> Outcome in
                var (handle, image): (Pointer?, Pointer?) = (nil, nil)
                let context = allocate()
                defer {
                    if image != nil { releaseImage(image) }
                    if handle != nil { releaseHandle(handle) }
                    free(context)
                }
                for step in 0..<3 {
                    let outcome =
                        switch step {
                        case 0: read(context, bytes.baseAddress, bytes.count, nil)
                        case 1: primary(context, &handle)
                        default: decode(handle, &image, rgb, interleaved, nil)
                        }
                    if UInt32(truncatingIfNeeded: outcome) != 0 { return outcome }
                }
                return 0
            }
            try check(outcome, "decode the picture")
            best = min(best, processMicroseconds - start)
        }
        return best
    }
}

internal import CDarkroom
internal import Glibc
import KinPicture

/// A decoded picture: owns C's memory for it.
@safe final class Pixels {
    /// JPEG quality, of 100.
    private static let quality: CInt = 85

    // Rule: C's functions alone write to it, and its memory ends with this.
    var picture = unsafe kin_picture()

    deinit { unsafe kin_free_picture(&picture) }

    func turn(_ turn: Orientation) throws(PictureFailure) {
        try Self.check(
            unsafe kin_turn(
                &picture, turn.isTransposed ? 1 : 0, turn.isFlippedAcross ? 1 : 0, turn.isFlippedDown ? 1 : 0))
    }

    func smaller(_ sideMax: Int) throws(PictureFailure) -> Pixels {
        let smaller = Pixels()
        try Self.check(unsafe kin_shrink(&picture, CInt(sideMax), &smaller.picture))
        return smaller
    }

    /// White, with so many pixels.
    static func blank(_ width: Int, _ height: Int) throws(PictureFailure) -> Pixels {
        let blank = Pixels()
        try check(unsafe kin_blank(CInt(width), CInt(height), &blank.picture))
        return blank
    }

    /// Draws the middle of another into a part of it.
    func draw(_ other: Pixels, _ place: Collage.Place) throws(PictureFailure) {
        try Self.check(
            unsafe kin_draw(
                &picture, CInt(place.left), CInt(place.top), CInt(place.width), CInt(place.height), &other.picture))
    }

    /// It and what is made smaller of it, for each print: it is as large as the first one already.
    func sheets(_ prints: [Print]) throws(PictureFailure) -> [Developed.Sheet] {
        var (pixels, sheets) = (self, [try encoded()])
        for print in prints.dropFirst() {
            pixels = try pixels.smaller(print.sideMax)
            sheets.append(try pixels.encoded())
        }
        return sheets
    }

    func encoded() throws(PictureFailure) -> Developed.Sheet {
        var jpeg: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        try Self.check(unsafe kin_write_jpeg(&picture, Self.quality, &jpeg, &count))
        defer { unsafe free(jpeg) }
        guard let jpeg = unsafe jpeg, count > 0 else { throw .damaged }
        return unsafe Developed.Sheet(
            width: Int(picture.width), height: Int(picture.height),
            jpeg: Array(UnsafeBufferPointer(start: jpeg, count: Int(count))))
    }

    static func check(_ outcome: kin_outcome) throws(PictureFailure) {
        if outcome == KIN_UNAVAILABLE { throw .unavailable }
        guard outcome == KIN_DONE else { throw .damaged }
    }
}

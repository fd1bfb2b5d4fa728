import KinModel
import Testing

@testable import KinPictures
@testable import KinSimulation

/// By which bytes the simulation knows a picture that nobody has judged.
@Suite struct UnjudgedPictureTests {
    @Test func `what was sent is unjudged until it is judged, and what the daemon draws itself is not`() throws {
        let pictures = KinSimulation.Pictures()
        var dice = Dice(seed: 1)
        for number in 1...20 as ClosedRange<UInt64> {
            let sent = pictures.file(for: Identifier(high: 1, low: number), &dice).content
            #expect(throws: Finding.self) { try pictures.check(sent, "ada") }
            try pictures.check(KinSimulation.Pictures.judged(sent), "ada")
        }
        // The sheet that stands for a document has such a byte, too.
        #expect(DocumentSheet.jpeg.contains(KinSimulation.Pictures.unjudged))
        try pictures.check(DocumentSheet.jpeg, "ada")
    }
}

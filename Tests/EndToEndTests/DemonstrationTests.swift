import Testing

@Suite struct DemonstrationTests {
    @Test func `the family that lives gets through its day and leaves nothing behind`() throws {
        let stage = try Stage()
        stage.environment["KINWIRE_DEMO_BREATH"] = "0"
        let day = try stage.run(Stage.root + "/deploy/demonstration", Stage.built, "1")
        #expect(day.said == "", "nothing was refused")
        #expect(day.lines.contains { $0.contains("kin tail --since 1h --as carol") }, "it says what to type")
        #expect(try stage.run("find", stage.folder, "-name", "kinwire-demo.*").lines.isEmpty)
    }
}

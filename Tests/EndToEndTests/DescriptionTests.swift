import Glibc
import Testing

/// The daemon's description of itself, as others read it.
@Suite struct DescriptionTests {
    private static let hasValidator =
        access(PythonClient.current, X_OK) == 0
        && Program(
            [PythonClient.current, "-c", "import openapi_spec_validator"], environment: ["PATH": "/usr/bin:/bin"]
        ).waited() == 0

    @Test(.enabled(if: hasValidator, "PyPI could not be reached"))
    func `PyPI's validator finds nothing wrong with the OpenAPI document, and something with a broken one`() throws {
        let stage = try Stage()
        let house = try House(stage)
        let file = stage.folder + "/openapi.json"
        try stage.run("curl", "-sSf", "-o", file, house.url + "/api/openapi.json")
        let validator = [PythonClient.current, "-m", "openapi_spec_validator"]
        try stage.run(validator[0], validator[1], validator[2], file)
        let text = String(decoding: try [UInt8](file: file), as: UTF8.self)
        try Array(text.replacing("\"responses\":", with: "\"answers\":").utf8).write(file: file)
        try stage.run(validator[0], validator[1], validator[2], file, exits: 1)
    }
}

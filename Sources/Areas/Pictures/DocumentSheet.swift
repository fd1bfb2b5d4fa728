import KinCrypto

/// The picture that stands for a document in clients that show pictures and do not know documents. It is a plain sheet,
/// the same for all documents.
enum DocumentSheet {
    /// The width of the large sheet, in pixels.
    static let width = 240
    /// The height of the large sheet, in pixels.
    static let height = 320

    /// The sheet as JPEG, gray, in each size.
    static let jpeg: [UInt8] = Base64.decode(text) ?? []

    private static let text = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKB\
        TmCNl4x9lnN+gXz/wAALCAFAAPABAREA/8QAGgABAQEAAwEAAAAAAAAAAAAAAAUEAQIGA//EAC4QAQAAAwcEAQMEAwEAAAAAAAABBUMD\
        FWOCosHhAgQREkETITEUI1GBInKxof/aAAgBAQAAPwD1AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAl9l2f6v3/c9PXx8efP\
        lqufH0clz4+jkufH0clz4+jkufH0clz4+jkufH0clz4+jkufH0clz4+jkufH0clz4+jkufH0clz4+jll7Tu42MfTr+9nHSqQjCMIRhHz\
        CPyAAAAMslrZd1QAAAAQuys+m16LXp64eYfb+vy72Vp19nafTtfvZR/Ef4UIRhGEIwj5hH5AAAAZZLWy7qgAAAAiS2p/W7XaWfTa9Een\
        rh5h/wAZbK06+ztPp2v3so/iP8KEIwjCEYR8wj8gAAAyyWtl3VAAAABEltT+t250tLPpteiPT1w8w/4y2Vp19nafTtfvZR/Ef4UIRhGE\
        Iwj5hH5AAAGWS1su6oAAAAPO9t3H0Pb/AB9vbx8+H3vDC1cF4YWrh1tO86bXoj09dj5h/t+P/HHad3Gxj6df3s46VQAABlktbLuqAAAA\
        AAlzqjm2agAAGWS1su6oAAAAACXOqObZqAAAZZLWy7qgAAAAAJc6o5tmoAABlktbLuqAAAAAAlzqjm2agAAGWS1su6oAAAAACXOqObZq\
        AAAZZLWy7qggAAAAC+Jc6o5tmoAABlktbLuqAAAAAAlzqjm2agAAGWS1su6oAAAAACXOqObZqAAAZZLWy7qgAAAAAJc6o5tmoAABlktb\
        LuqCAAAAAL4lzqjm2agAAGWS1su6oAAAAACXOqObZqAAAZZLWy7qgAAAAAJc6o5tmoAABlktbLuqAAAAAAlzqjm2agAAGWS1su6oIAAA\
        AAviXOqObZqAAAZZLWy7qgAAAAAJc6o5tmoAABlktbLuqAAAAAAlzqjm2agAAGWS1su6oAAAAACXOqObZqAAAZZLWy7qggAAC+AAJc6o\
        5tmoAABlktbLuqAAAAAAlzqjm2agAAGWS1su6oAAAAACXOqObZqAAAZZLWy7qgAAAAAJc6o5tmoAABlktbLuqAAAAAAlzqjm2agAAGWS\
        1su6oAAAAACXOqObZqAAAZZLWy7qgAAAAAJc6o5tmoAABlktbLuqAAAAAAlzqjm2agAAGWS1su6oAAAAACXOqObZqAAAS+y7z9J7/t+/\
        t4+fHjw1Xxga+C+MDXwXxga+C+MDXwXxga+C+MDXwXxga+C+MDXwXxga+C+MDXwXxga+C+MDXwXxga+C+MDXwXxga+C+MDXwXxga+C+M\
        DXwy973n6v0/b9PXz8+fPlUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAH//Z
        """
}

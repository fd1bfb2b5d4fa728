import KinModel

/// Text of members made fit to stand in one line.
package enum Plain {
    /// Control characters become spaces. Characters that reverse the writing direction or cannot be seen are removed,
    /// except where a script or an emoji needs them. So a name cannot move the cursor, set a title or reverse the rest
    /// of the line.
    package static func line(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in Unseen.cleaned(text).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: out.append(" ")
            case .format where !Unseen.isUnseen(scalar): break
            default: out.append(scalar)
            }
        }
        return String(out)
    }
}

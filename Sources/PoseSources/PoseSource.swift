/// Reads poses that another program wrote and puts them out as recordings with labels.
///
/// Foreign conventions end here: every source turns its axes, units, joint names and time base
/// into those of `Recording`, sides unmirrored, and says in notes what it assumed. Sources get
/// texts and give values; they never touch a file. A new source is one type that conforms.
package protocol PoseSource: Sendable {
  /// The name that selects the source, for example `mediapipe`.
  static var name: String { get }

  /// One sentence on what the source reads.
  static var summary: String { get }

  /// Reads texts that belong together and returns their sequences in order.
  ///
  /// - Parameter files: the texts; a source tells the roles of several by their content.
  /// - Returns: at least one sequence; names are unique and safe as file names.
  /// - Throws: `PoseSourceError` for the first problem; nothing is returned then.
  func sequences(from files: [NamedText]) throws(PoseSourceError) -> [ImportedSequence]
}

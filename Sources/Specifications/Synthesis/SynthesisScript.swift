package import PoseSynthesis

/// What a script file asks for: recordings, and how their dataset is described.
package struct SynthesisScript: Hashable, Sendable {
  /// The recordings.
  package enum Content: Hashable, Sendable {
    /// Many sessions of several people, planned from a seed.
    case studio(StudioParameters)
    /// One session, hold by hold.
    case session(SessionScript)
  }

  /// The recordings.
  package var content: Content
  /// The dataset's name.
  package var name: String?
  /// What the dataset is.
  package var description: String?
  /// The license of the data.
  package var license: String?

  /// Makes a script.
  package init(_ content: Content) { self.content = content }
}

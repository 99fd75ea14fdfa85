/// Something that is known of a recording: its subject, a tag.
package struct LabelingFact: Hashable, Sendable {
  /// What it is about.
  package var name: String
  /// What is known.
  package var value: String

  /// Makes a fact.
  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// What to type next to a result, each command in words as they are before a shell needs quotes.
package struct ResultCommands: Codable, Hashable, Sendable {
  /// What follows `planklab` to get the result again.
  package let again: [String]
  /// The datasets, with the split if there is one, as `evaluate` takes them.
  package let data: [String]

  /// Takes the words.
  package init(again: [String], data: [String]) {
    self.again = again
    self.data = data
  }
}

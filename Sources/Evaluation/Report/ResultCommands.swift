/// What to type next to a result; the words are not yet quoted for a shell.
package struct ResultCommands: Codable, Hashable, Sendable {
  /// What follows `planklab` to get the result again.
  package let again: [String]
  /// The datasets, with the split if there is one, as `evaluate` takes them.
  package let data: [String]

  package init(again: [String], data: [String]) {
    self.again = again
    self.data = data
  }
}

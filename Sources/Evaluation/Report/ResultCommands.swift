/// What to type next to a result; the words are not yet quoted for a shell.
package struct ResultCommands: Codable, Hashable, Sendable {
  package let again: [String]
  package let data: [String]

  package init(again: [String], data: [String]) {
    self.again = again
    self.data = data
  }
}

/// What to do next: numbered steps, each with what it does and a command to copy.
struct ActionList: Hashable, Sendable {
  /// A step.
  struct Action: Hashable, Sendable {
    /// What to do; parts between backquotes are code.
    let title: String
    /// What it does.
    let text: String
    /// The command; nil if there is none.
    let command: String?
    /// Whether it is the one to take.
    var isBest = false
  }

  /// About all of them, such as how they were tried.
  let note: String
  /// The steps, the best first.
  let actions: [Action]

  /// The panel; nothing without a step.
  var html: HTML {
    guard !actions.isEmpty else { return .empty }
    let items: [HTML] = actions.map { action in
      let command: HTML = action.command.map { CopyLine(text: $0).html } ?? .empty
      return """
        <li\(action.isBest ? HTML(markup: " class=\"best\"") : .empty)><h3>\(prose: action.title)</h3>
        <p>\(prose: action.text)</p>\(command)</li>

        """
    }
    return """
      <section class="panel"><h2>Do next</h2>
      <p class="note">\(prose: note)</p>
      <ol class="next">
      \(items)</ol></section>

      """
  }
}

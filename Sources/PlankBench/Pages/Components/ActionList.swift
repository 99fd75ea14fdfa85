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
  /// What to know beside them.
  var remarks: HTML = .empty
  /// Whether the steps stand below each other, as those that follow each other do.
  var isStacked = false

  /// The panel; nothing if there is nothing to say.
  var html: HTML {
    guard !actions.isEmpty || !remarks.isEmpty else { return .empty }
    let items: [HTML] = actions.map { action in
      let command: HTML = action.command.map { CopyLine(lines: [$0]).html } ?? .empty
      return """
        <li\(action.isBest ? HTML(markup: " class=\"best\"") : .empty)><h3>\(prose: action.title)</h3>
        <p>\(prose: action.text)</p>\(command)</li>

        """
    }
    let list: HTML =
      items.isEmpty ? .empty : "<ol class=\"next\(isStacked ? " stacked" : "")\">\n\(items)</ol>\n"
    return """
      <section class="panel"><h2>Do next</h2>
      \(note.isEmpty ? .empty : "<p class=\"note\">\(prose: note)</p>\n")\(list)\(remarks)</section>

      """
  }
}

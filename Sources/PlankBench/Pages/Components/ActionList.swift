struct ActionList: Hashable, Sendable {
  struct Action: Hashable, Sendable {
    let title: String
    let text: String
    let command: String?
    var isBest = false
  }

  let note: String
  let actions: [Action]
  var remarks: HTML = .empty
  var isStacked = false

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

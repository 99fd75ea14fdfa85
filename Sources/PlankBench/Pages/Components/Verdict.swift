struct VerdictPanel: Hashable, Sendable {
  /// How good it is; always shown as an icon and a word, too, never by color alone.
  enum State: String, Hashable, Sendable {
    case good, warning, bad, unsure

    var icon: String {
      switch self {
      case .good: "✓"
      case .warning: "!"
      case .bad: "✕"
      case .unsure: "?"
      }
    }
  }

  let state: State?
  let word: String
  let headline: HTML
  var lead: HTML = .empty
  var command: [String] = []
  var facts: [String] = []
  var numbers: [ScoreNumber] = []
  var changes: [ChangeNumber] = []

  var html: HTML {
    let lead: HTML = lead.isEmpty ? .empty : "<div class=\"lead\">\(lead)</div>\n"
    let pill: HTML =
      state.map { "<p class=\"pill\"><b aria-hidden=\"true\">\($0.icon)</b> \(word)</p>\n" }
      ?? .empty
    let facts: [HTML] = facts.map { "<span>\(prose: $0)</span>" }
    let list: HTML = facts.isEmpty ? .empty : "<p class=\"facts\">\(facts)</p>\n"
    let numbers: HTML =
      numbers.isEmpty && changes.isEmpty
      ? .empty
      : "<div class=\"numbers\">\n\(numbers.map(\.html))\(changes.map(\.html))</div>\n"
    return """
      <section class="panel verdict \(state?.rawValue ?? "")">
      <div>\(pill)<h1>\(headline)</h1>
      \(lead)\(command.isEmpty ? .empty : CopyLine(lines: command).html)\(list)</div>
      \(numbers)</section>

      """
  }
}

/// The first panel of a page: whether it is good, in one sentence, and the numbers behind it.
struct VerdictPanel: Hashable, Sendable {
  /// How good it is; always shown as an icon and a word, too, never by color alone.
  enum State: String, Hashable, Sendable {
    case good, warning, bad, unsure

    /// The sign before the word.
    var icon: String {
      switch self {
      case .good: "✓"
      case .warning: "!"
      case .bad: "✕"
      case .unsure: "?"
      }
    }
  }

  /// How good it is; nil where nothing is judged.
  let state: State?
  /// The state in a word or two; empty without a state.
  let word: String
  /// The answer.
  let headline: HTML
  /// What to know beside the answer.
  var lead: HTML = .empty
  /// The command to run next, in lines; empty without one.
  var command: [String] = []
  /// The data, and how the result was made: short phrases.
  var facts: [String] = []
  /// Two or three numbers.
  var numbers: [ScoreNumber] = []
  /// Two or three numbers of two sides.
  var changes: [ChangeNumber] = []

  /// The panel.
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

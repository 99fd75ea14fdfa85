/// Rules with what they found, those that fail first.
struct RuleList: Hashable, Sendable {
  /// A rule.
  struct Rule: Hashable, Sendable {
    /// How it came out; always shown with a word.
    let state: VerdictPanel.State
    /// The result in a word or two.
    let word: String
    /// The name.
    let name: String
    /// The number before and now.
    let numbers: String
    /// The difference with its interval; empty without one.
    let difference: String
    /// Everything that it says, an item per line.
    let why: [String]
  }

  /// The rules in the order in which they are shown.
  let rules: [Rule]

  /// The list; nothing without a rule.
  var html: HTML {
    guard !rules.isEmpty else { return .empty }
    let items: [HTML] = rules.map { rule in
      let why: [HTML] = rule.why.filter { !$0.isEmpty }.map { "<li>\(prose: $0)</li>\n" }
      let difference: HTML =
        rule.difference.isEmpty ? .empty : "<span class=\"dim\">\(rule.difference)</span>"
      return """
        <li class="\(rule.state.rawValue)"><div><p class="pill">\
        <b aria-hidden="true">\(rule.state.icon)</b> \(rule.word)</p></div>
        <div><h3>\(rule.name)</h3><p class="n">\(rule.numbers)</p>\(difference)</div>
        <ul class="why">
        \(why)</ul></li>

        """
    }
    return "<ol class=\"rules\">\n\(items)</ol>\n"
  }
}

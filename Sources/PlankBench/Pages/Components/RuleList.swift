struct RuleList: Hashable, Sendable {
  struct Rule: Hashable, Sendable {
    let state: VerdictPanel.State
    let word: String
    let name: String
    let numbers: String
    let difference: String
    let why: [String]
  }

  let rules: [Rule]

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

struct Dumbbells: Hashable, Sendable {
  struct Person: Hashable, Sendable {
    let name: String
    let before: Double?
    let after: Double?
    let text: String
    let gain: Double?
    /// Whether the difference is more than rounding.
    let isChanged: Bool
  }

  static let openCount = 12

  let title: String
  let metric: String
  let reference: String
  let candidate: String
  let range: ClosedRange<Double>
  let people: [Person]
  var nouns = ["person", "people"]

  var html: HTML {
    guard people.count > 1 else { return .empty }
    let rows: [HTML] = people.map(row)
    let rest = Array(rows.dropFirst(Self.openCount))
    let more: HTML =
      rest.isEmpty
      ? .empty
      : """
      <details><summary>\(NumberText.count(rest.count, "more \(nouns[0])", plural: "more \(nouns[1])"))\
      </summary><ol class="dumbbells">\(rest)</ol></details>

      """
    return """
      <section class="panel"><h2>\(title), \(nouns[0]) by \(nouns[0])</h2>
      <p class="note"><code>\(metric)</code>, worst change first: ○ \(reference), ● \(candidate)</p>
      <ol class="dumbbells">
      \(Array(rows.prefix(Self.openCount)))</ol>
      \(more)</section>

      """
  }

  private func row(_ person: Person) -> HTML {
    let tone = !person.isChanged ? "same" : (person.gain ?? 0) < 0 ? "bad" : "good"
    let word = !person.isChanged ? "" : (person.gain ?? 0) < 0 ? "▼" : "▲"
    return """
      <li class="\(tone)"><span class="name">\(person.name)</span>\(bar(person))\
      <span class="n">\(word) \(person.text)</span></li>

      """
  }

  private func bar(_ person: Person) -> HTML {
    let scale = BarScale(range: range)
    var marks: HTML = "<rect class=\"track\" x=\"0\" y=\"8\" width=\"100%\" height=\"2\"/>"
    if let before = person.before, let after = person.after {
      marks += "<rect class=\"way\" \(scale.stretch(before, after)) y=\"7\" height=\"4\"/>"
    }
    if let before = person.before {
      marks += "<circle class=\"from\" cx=\"\(scale.place(before))\" cy=\"9\" r=\"5\"/>"
    }
    if let after = person.after {
      marks += "<circle class=\"to\" cx=\"\(scale.place(after))\" cy=\"9\" r=\"5\"/>"
    }
    return "<svg height=\"18\" aria-hidden=\"true\">\(marks)</svg>"
  }
}

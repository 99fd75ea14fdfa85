/// People with how much of their time was right before and is right now, the largest loss first.
struct PeopleChange: Hashable, Sendable {
  /// A person.
  struct Person: Hashable, Sendable {
    /// The name.
    let name: String
    /// The share before, 0...1.
    let before: Double
    /// The share now, 0...1.
    let after: Double
  }

  /// How many people are open; the others are folded.
  static let openCount = 8

  /// What was answered, such as a stream.
  let title: String
  /// The people, in the order in which they are shown.
  let people: [Person]

  /// The list; nothing for fewer than two people, about whom the rules say it all.
  var html: HTML {
    guard people.count > 1 else { return .empty }
    let rows: [HTML] = people.map(row)
    let rest = Array(rows.dropFirst(Self.openCount))
    let more: HTML =
      rest.isEmpty
      ? .empty
      : """
      <details><summary>\(NumberText.count(rest.count, "more person", plural: "more people"))</summary>
      <ul class="dumbbells">\(rest)</ul></details>

      """
    return """
      <div><h3>\(title)</h3>
      <ul class="dumbbells">
      \(Array(rows.prefix(Self.openCount)))</ul>\(more)</div>

      """
  }

  private func row(_ person: Person) -> HTML {
    let change = person.after - person.before
    let state = change < -0.0005 ? "lost" : change > 0.0005 ? "won" : "same"
    let (low, high) = (min(person.before, person.after), max(person.before, person.after))
    return """
      <li class="\(state)"><span class="name">\(person.name)</span>\
      <svg height="12" aria-hidden="true">\
      <rect class="track" x="0" y="5" width="100%" height="2"/>\
      <rect class="bar" x="\(Self.percent(low))" y="4" width="\(Self.percent(high - low))" height="4"/>\
      <circle class="old" cx="\(Self.percent(person.before))" cy="6" r="4"/>\
      <circle class="new" cx="\(Self.percent(person.after))" cy="6" r="5"/></svg>\
      <span class="n">\(NumberText.wholePercent(person.before)) → \
      \(NumberText.wholePercent(person.after))</span></li>

      """
  }

  private static func percent(_ share: Double) -> String {
    NumberText.fixed(100 * min(1, max(0, share)), 2) + "%"
  }
}

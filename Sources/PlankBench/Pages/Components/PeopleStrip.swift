struct PeopleStrip: Hashable, Sendable {
  struct Person: Hashable, Sendable {
    let name: String
    let seconds: Double
    /// Shares of the time, 0...1, in the order of the streams; nil for what is not judged.
    let shares: [Double?]
  }

  let streams: [String]
  let everyone: [Double?]
  let people: [Person]

  var html: HTML {
    guard people.count > 1 else { return .empty }
    let cards: [HTML] = people.enumerated().map { index, person in
      let rows: [HTML] = streams.indices.map { bar(person, $0, isWorst: index == 0) }
      let mark: HTML = index == 0 ? "<b class=\"bad\">▼ worst</b>" : .empty
      return """
        <li><p class="name"><span><b>\(person.name)</b> \
        <span class="dim">\(NumberText.fixed(person.seconds, 1)) s</span></span>\(mark)</p>\(rows)</li>

        """
    }
    return """
      <section class="panel"><h2>People</h2>
      <p class="note">Worst first. The line is everyone together.</p>
      <ul class="people">
      \(cards)</ul></section>

      """
  }

  private func bar(_ person: Person, _ stream: Int, isWorst: Bool) -> HTML {
    guard let share = person.shares[stream] else {
      return """
        <p class="share"><span>\(streams[stream])</span><span class="dim">not judged</span></p>
        """
    }
    let all: HTML =
      everyone[stream].map {
        "<rect class=\"all\" x=\"\(Self.percent($0))\" y=\"0\" width=\"2\" height=\"12\"/>"
      } ?? .empty
    return """
      <p class="share\(isWorst && stream == 0 ? " worst" : "")"><span>\(streams[stream])</span>\
      <svg height="12" aria-hidden="true">\
      <rect class="track" x="0" y="3" width="100%" height="6" rx="3"/>\
      <rect class="fill" x="0" y="3" width="\(Self.percent(share))" height="6" rx="3"/>\(all)</svg>\
      <span class="n">\(NumberText.wholePercent(share))</span></p>
      """
  }

  private static func percent(_ share: Double) -> String { NumberText.fixed(100 * share, 2) + "%" }
}

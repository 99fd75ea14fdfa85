extension Timeline {
  /// How many letters a text ribbon has.
  private static let columns = 72

  /// The ribbons as a table of letters with a legend.
  package var document: Document {
    var document = Document()
    guard end > start else { return document }
    let step = (end - start) / Double(Self.columns)
    var table = Table([
      .words("ribbon"),
      .words(
        "\(NumberText.fixed(start, 1)) to \(NumberText.fixed(end, 1)) s, a letter every "
          + "\(NumberText.fixed(step, 2)) s"),
    ])
    for ribbon in ribbons {
      let letters = (0..<Self.columns).map { column in
        letter(ribbon.state(at: start + (Double(column) + 0.5) * step))
      }
      table.row([StyledText(ribbon.name, .strong), StyledText(String(letters))])
    }
    document.table(table)
    let used = Set(ribbons.flatMap(\.spans).map(\.state))
    let legend = TimelineStyle.all.filter { used.contains($0.state) }
      .map { "\($0.letter) \($0.state)" }.joined(separator: ", ")
    document.paragraph(StyledText(legend + "; - nothing known.", .dim))
    return document
  }

  private func letter(_ state: String) -> Character { TimelineStyle.of(state)?.letter ?? "-" }
}

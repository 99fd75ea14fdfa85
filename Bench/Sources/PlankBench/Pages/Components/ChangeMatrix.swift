/// Seconds that a side wins and loses in every cell of a confusion matrix.
struct ChangeMatrix: Hashable, Sendable {
  /// Differences below this are shown as none, in seconds: half of the last digit.
  static let least = 0.05
  /// How many strengths of color there are.
  private static let strengths = 4

  private let title: String
  private let labels: [String]
  private let before: [[Double]]
  private let after: [[Double]]
  private let change: [[Double]]

  /// Subtracts one matrix from another; nil unless both have a number for every pair of classes.
  ///
  /// - Parameters:
  ///   - before: seconds of the first side: rows are true classes, columns answers.
  ///   - after: those of the second side.
  ///   - change: the differences of a result that has them.
  init?(
    title: String, labels: [String], before: [[Double]], after: [[Double]],
    change: [[Double]]? = nil
  ) {
    let isWhole = [before, after, change ?? after].allSatisfy { matrix in
      matrix.count == labels.count && matrix.allSatisfy { $0.count == labels.count }
    }
    guard isWhole else { return nil }
    func isUsed(_ label: Int) -> Bool {
      [before, after].contains { matrix in
        matrix[label].contains { $0 > 0 } || matrix.contains { $0[label] > 0 }
      }
    }
    let used = labels.indices.filter(isUsed)
    guard !used.isEmpty else { return nil }
    self.title = title
    self.labels = used.map { labels[$0] }
    self.before = used.map { row in used.map { before[row][$0] } }
    self.after = used.map { row in used.map { after[row][$0] } }
    self.change = used.map { row in
      used.map { change?[row][$0] ?? after[row][$0] - before[row][$0] }
    }
  }

  /// The table, or that nothing changed.
  var html: HTML {
    guard greatest >= Self.least else {
      return "<div><h3>\(title)</h3>\n<p>Every cell is the same on both sides.</p></div>\n"
    }
    let head: [HTML] = labels.map { "<th scope=\"col\">\($0)</th>" }
    let rows: [HTML] = labels.indices.map { truth in
      let cells: [HTML] = labels.indices.map { cell(truth, $0) }
      return "<tr><th scope=\"row\">\(labels[truth])</th>\(cells)</tr>\n"
    }
    return """
      <div class="scroll" role="group" tabindex="0" aria-label="\(title): seconds won and lost">
      <table class="gains"><caption>\(title)</caption>
      <thead><tr><th class="corner">truth \\ answer</th>\(head)</tr></thead>
      <tbody>
      \(rows)</tbody></table></div>

      """
  }

  private var greatest: Double {
    change.joined().map(\.magnitude).max() ?? 0
  }

  private func cell(_ truth: Int, _ answer: Int) -> HTML {
    let (first, second) = (before[truth][answer], after[truth][answer])
    let change = change[truth][answer]
    let words =
      "\(labels[truth]) answered as \(labels[answer]): \(NumberText.fixed(first, 2)) s → "
      + "\(NumberText.fixed(second, 2)) s"
    guard change.magnitude >= Self.least else {
      return "<td class=\"dim\" title=\"\(words)\">·</td>"
    }
    let isGood = (truth == answer) == (change > 0)
    let strength = Int((Double(Self.strengths) * change.magnitude / greatest).rounded(.up))
    return """
      <td class="\(isGood ? "won" : "lost") s\(max(1, min(strength, Self.strengths)))" \
      title="\(words)">\
      <span role="img" aria-label="\(words)">\(NumberText.signed(change, 1))</span></td>
      """
  }
}

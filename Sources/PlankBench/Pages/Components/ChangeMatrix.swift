internal import Evaluation

struct ChangeMatrix: Hashable, Sendable {
  /// Differences below this are shown as none, in seconds: half of the last digit.
  static let least = 0.05
  private static let strengths = 4

  private let title: String
  private let labels: [String]
  private let before: [[Double]]
  private let after: [[Double]]
  private let change: [[Double]]

  /// Nil unless both are of the same classes.
  ///
  /// `change`: the differences of a result that has them, row after row.
  init?(
    title: String, before: ConfusionMatrix<Double>, after: ConfusionMatrix<Double>,
    change: [[Double]]? = nil
  ) {
    let all = before.labels.indices
    let isWhole = change.map { rows in
      rows.count == all.count && rows.allSatisfy { $0.count == all.count }
    }
    guard before.labels == after.labels, isWhole ?? true else { return nil }
    let used = all.filter { label in
      [before, after].contains { $0.truthTotal(label) > 0 || $0.answerTotal(label) > 0 }
    }
    guard !used.isEmpty else { return nil }
    self.title = title
    labels = used.map { before.labels[$0] }
    self.before = used.map { row in used.map { before[row, $0] } }
    self.after = used.map { row in used.map { after[row, $0] } }
    self.change = used.map { row in
      used.map { change?[row][$0] ?? after[row, $0] - before[row, $0] }
    }
  }

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

/// Seconds won and lost in every cell of a confusion matrix, from one side to another.
struct ChangeMatrix: Hashable, Sendable {
  /// The shortest change that is shown, in seconds.
  static let least = 0.05

  /// What was answered, such as a stream.
  let title: String
  /// The classes in the order of rows and columns.
  let labels: [String]
  /// The seconds before: rows are true classes, columns answers.
  let before: [[Double]]
  /// The seconds after.
  let after: [[Double]]

  /// The table; a sentence if no cell changed; nothing for matrices that do not fit the classes.
  var html: HTML {
    let isSquare = [before, after].allSatisfy { rows in
      rows.count == labels.count && rows.allSatisfy { $0.count == labels.count }
    }
    guard isSquare, !labels.isEmpty else { return .empty }
    let used = labels.indices.filter { index in
      labels.indices.contains { other in
        [before, after].contains { $0[index][other] > 0 || $0[other][index] > 0 }
      }
    }
    guard used.contains(where: { row in used.contains { abs(change(row, $0)) >= Self.least } })
    else { return "<h3>\(title)</h3>\n<p class=\"dim\">No cell changed.</p>\n" }
    let heads: [HTML] = used.map { "<th scope=\"col\">\(labels[$0])</th>" }
    let rows: [HTML] = used.map { row in
      let cells: [HTML] = used.map { cell(row, $0) }
      return "<tr><th scope=\"row\">\(labels[row])</th>\(cells)</tr>\n"
    }
    return """
      <h3>\(title)</h3>
      <div class="scroll" tabindex="0" role="region" aria-label="\(title): seconds won and lost">\
      <table class="change"><thead><tr><th scope="col">truth</th>\(heads)</tr></thead>
      <tbody>\(rows)</tbody></table></div>

      """
  }

  private func change(_ row: Int, _ column: Int) -> Double {
    after[row][column] - before[row][column]
  }

  private func cell(_ row: Int, _ column: Int) -> HTML {
    let change = change(row, column)
    guard abs(change) >= Self.least else { return "<td class=\"same\">·</td>" }
    let isBetter = (row == column) == (change > 0)
    let most = labels.indices.flatMap { row in labels.indices.map { abs(self.change(row, $0)) } }
    let step = max(1, Int((4 * abs(change) / max(most.max() ?? 1, 1e-9)).rounded(.up)))
    let sign = change > 0 ? "+" : "−"
    let seconds = NumberText.fixed(abs(change), 1)
    let what =
      "\(labels[row]) answered as \(labels[column]): \(seconds) seconds "
      + "\(change > 0 ? "more" : "less"), \(isBetter ? "better" : "worse")"
    return """
      <td class="\(isBetter ? "won" : "lost") step-\(step)" title="\(what)">\
      <span aria-label="\(what)" role="img">\(sign)\(seconds)</span></td>
      """
  }
}

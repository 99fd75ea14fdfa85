package import Evaluation
package import Statistics

package enum BaselineScreens {
  package typealias Metric = (key: MetricKey, value: Double?, interval: Interval?)

  package static func show(
    _ file: String, reason: String, _ dataset: DatasetIdentity, sequences: Int, subjects: Int,
    facts: [(name: String, value: String)], _ metrics: [Metric]
  ) -> Document {
    var document = Document()
    document.heading("Baseline \(file)", level: 1)
    document.paragraph("Why: \(reason)")
    document.list(
      [
        "dataset: \(dataset.name) \(dataset.hash)",
        "labels: \(dataset.labelsHash)",
        StyledText(
          NumberText.count(sequences, "sequence") + ", " + NumberText.count(subjects, "subject")),
      ] + facts.map { StyledText("\($0): \($1)") })
    document.table(metrics) { row, line in
      row.words("metric", "\(line.key)")
      row.number("value", line.value, 4)
      row.number("95 % interval", line.interval.map { $0.text(4) } ?? "none")
    }
    return document
  }

  package struct Row {
    let name, date, dataset, detector, reason: String
    let subjects: Int

    package init(
      name: String, date: String, dataset: String, detector: String, subjects: Int, reason: String
    ) {
      self.name = name
      self.date = date
      self.dataset = dataset
      self.detector = detector
      self.reason = reason
      self.subjects = subjects
    }
  }

  package static func list(_ rows: [Row], in folder: String) -> Document {
    var document = Document()
    document.table(rows) { row, baseline in
      row.words("baseline", baseline.name)
      row.words("date", baseline.date)
      row.words("dataset", baseline.dataset)
      row.words("detector", baseline.detector)
      row.number("subjects", "\(baseline.subjects)")
      row.words("why", baseline.reason)
    }
    if rows.isEmpty { document.paragraph("There are no baselines in \(folder).") }
    return document
  }

  package static func difference(
    from before: [Metric], to after: [Metric], isSameDataset: Bool
  ) -> Document {
    var document = Document()
    if !isSameDataset {
      document.list([
        "The datasets differ, so no difference between metrics is due to the detector alone."
      ])
    }
    let values = Dictionary(before.map { ($0.key, $0.value) }) { first, _ in first }
    let table = Table(after.filter { values[$0.key] != .some($0.value) }) { row, line in
      let old = values[line.key] ?? nil
      let difference = old.flatMap { old in line.value.map { $0 - old } }
      row.words("metric", "\(line.key)")
      row.number("before", old, 4)
      row.number("after", line.value, 4)
      row.number("difference", difference, 4)
    }
    document.table(table)
    if table.rows.isEmpty { document.paragraph("No metric differs.") }
    return document
  }
}

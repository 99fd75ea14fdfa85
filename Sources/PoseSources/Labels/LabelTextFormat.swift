package import PoseModel

/// A text format in which people label stretches of time with another program.
package enum LabelTextFormat: String, CaseIterable, Hashable, Sendable {
  /// An exported Audacity label track: start, end and text, separated by tabs.
  case audacity
  /// A table with a header line, one segment a row.
  case csv

  /// The format that a text most probably has: Audacity's where its first line has a tab.
  package init(guessing source: NamedText) {
    let first = source.text.split(whereSeparator: \.isNewline).first ?? ""
    self = first.contains("\t") ? .audacity : .csv
  }
}

/// The columns of a segment table by name; names are compared without case.
package struct SegmentColumns: Hashable, Sendable {
  /// The column of the start, in seconds.
  package let start: String
  /// The column of the end, in seconds.
  package let end: String
  /// The column of the label, or nil for the first of `label`, `class`, `plank` and `text`.
  package let label: String?
  /// The column of the form that completes the label, or nil for `form` where there is one.
  package let form: String?

  /// Names columns.
  package init(
    start: String = "start", end: String = "end", label: String? = nil, form: String? = nil
  ) {
    self.start = start
    self.end = end
    self.label = label
    self.form = form
  }
}

/// How a label text is to be read.
package struct LabelTextOptions: Hashable, Sendable {
  /// The format, or nil to guess it.
  package let format: LabelTextFormat?
  /// What labels mean that are not this project's own words.
  package let labels: LabelMap
  /// The columns of a table.
  package let columns: SegmentColumns
  /// What is added to every time: where the clock of the labels starts on the recording's clock.
  package let offset: Seconds

  /// Checks options and keeps them.
  ///
  /// - Throws: `PoseSourceError.invalidOption` for an offset that is not finite.
  package init(
    format: LabelTextFormat? = nil, labels: LabelMap = LabelMap(),
    columns: SegmentColumns = SegmentColumns(), offset: Seconds = Seconds(0)
  ) throws(PoseSourceError) {
    guard offset.value.isFinite else {
      throw .invalidOption("the offset", found: "\(offset)", allowed: "seconds, for example 1.25")
    }
    self.format = format
    self.labels = labels
    self.columns = columns
    self.offset = offset
  }
}

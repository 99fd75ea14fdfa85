package import PoseModel

/// Reads labels that were made with another program.
///
/// A label is one of this project's own words (`none`, `ignore`, `high`, `forearm/sag`) or has its
/// meaning in the options' map; the map wins. Segments must be in order and may not overlap.
package struct LabelTextReader: Sendable {
  /// How texts are to be read.
  package let options: LabelTextOptions

  /// Makes a reader.
  package init(options: LabelTextOptions) { self.options = options }

  /// Reads the labels of one recording.
  ///
  /// - Throws: `PoseSourceError` with file and line of the first fault, or with all labels that
  ///   have no meaning.
  package func track(from source: NamedText) throws(PoseSourceError) -> LabelTrack {
    let rows =
      switch options.format ?? LabelTextFormat(guessing: source) {
      case .audacity: try LabelRow.audacity(source)
      case .csv: try LabelRow.table(source, columns: options.columns)
      }
    let meanings = try meanings(of: rows, file: source.name)
    let segments = zip(rows, meanings).map { row, meaning in
      LabeledSegment(
        start: time(row.start), end: time(row.end), plank: meaning.plank, form: meaning.form)
    }
    do {
      return try LabelTrack(segments)
    } catch {
      throw .unusableLabels(sequence: rows[error.segment].place.description, error)
    }
  }

  private func meanings(
    of rows: [LabelRow], file: String
  ) throws(PoseSourceError) -> [LabelTarget] {
    let meanings = rows.compactMap { meaning(of: $0.label) }
    guard meanings.count == rows.count else {
      let seen = LabelCount.counts(of: rows.map(\.label))
      throw .unmappedLabels(
        file: file, seen: seen, unmapped: seen.map(\.label).filter { meaning(of: $0) == nil })
    }
    return meanings
  }

  private func meaning(of label: String) -> LabelTarget? {
    options.labels.targets[label] ?? (try? LabelTarget(label)) ?? options.labels[label]
  }

  private func time(_ seconds: Double) -> Seconds {
    let offset = options.offset.value
    return Seconds(offset == 0 ? seconds : roundedToMicroseconds(seconds + offset))
  }
}

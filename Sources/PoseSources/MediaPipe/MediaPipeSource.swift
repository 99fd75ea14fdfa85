/// Tables of MediaPipe (BlazePose) landmarks, one row a frame, with a label column.
///
/// Axes become x right, y up, z toward the camera, with the root as origin; sizes those of the
/// reference body, by a factor a clip; rows get times at a constant rate. Clips are cut out of
/// longer video, so they start in the middle of what they show.
package struct MediaPipeSource: PoseSource {
  package static let name = "mediapipe"
  package static let summary = "CSV tables of 17 or 33 MediaPipe landmarks, one row a frame"

  /// How tables are to be read.
  package let options: MediaPipeOptions

  /// Makes a source.
  package init(options: MediaPipeOptions) { self.options = options }

  package func sequences(
    from files: [NamedText]
  ) throws(PoseSourceError) -> [ImportedSequence] {
    var sequences: [ImportedSequence] = []
    for file in files {
      let table = try LandmarkTable(file, labelColumn: options.labelColumn)
      let meanings = try options.labels.meanings(of: table.labels, file: file.name)
      let ranges = options.division.ranges(of: table)
      for (index, rows) in ranges.enumerated() {
        let clip = LandmarkClip(table: table, rows: rows, meanings: meanings, options: options)
        let name = "\(file.stem)-\(Self.number(index + 1, of: ranges.count))"
        sequences.append(try clip.sequence(name: name, source: file.stem))
      }
    }
    try ImportedSequence.requireUniqueNames(sequences)
    return sequences
  }

  /// A number with as many digits as the largest, three at least.
  private static func number(_ number: Int, of count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(3, String(count).count) - digits.count) + digits
  }
}

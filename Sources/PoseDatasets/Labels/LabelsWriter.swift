package import PoseModel

/// Writes label files as `LabelsReader` reads them.
package enum LabelsWriter {
  /// The text of a label file; times are the shortest decimals that read back to themselves.
  package static func text(of track: LabelTrack) -> String {
    var text = LabelsReader.header + "\n"
    for segment in track.segments {
      let plank = segment.plank?.name ?? LabelsReader.ignoreName
      text += "\(segment.start.value),\(segment.end.value),\(plank),\(segment.form?.name ?? "")\n"
    }
    return text
  }
}

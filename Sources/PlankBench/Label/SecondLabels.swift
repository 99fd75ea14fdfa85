internal import Evaluation
internal import Platform
internal import PoseDatasets
internal import PoseModel

/// The labels of a second person, beside the first person's: `NAME.second.labels.csv`.
enum SecondLabels {
  private static let ending = ".labels.csv"

  static func agreement(
    _ entry: SequenceEntry, _ sequence: DatasetSequence, _ reader: DatasetReader
  ) throws -> LabelAgreement? {
    guard let labelsPath = entry.labelsPath, labelsPath.hasSuffix(ending),
      let first = sequence.labels
    else { return nil }
    let path = reader.path(of: labelsPath.dropLast(ending.count) + ".second" + ending)
    guard try FileDescriptor.exists(path) else { return nil }
    let second = try LabelsReader.read(path: path).track
    return LabelAgreement(
      first: first, second: second, times: sequence.recording.times,
      frameWeight: sequence.recording.frameWeight)
  }
}

import PoseDatasets
import PoseModel

/// Reads one hand-made table.
func read(
  _ table: TableText, labels: [String] = ["*=forearm/aligned"],
  coordinates: LandmarkCoordinates = .proportional, division: TableDivision = .defaultClips,
  frameRate: Double = 30, isMirrored: Bool = false
) throws -> [ImportedSequence] {
  try MediaPipeSource(
    options: MediaPipeOptions(
      labels: LabelMap(labels), coordinates: coordinates, division: division,
      frameRate: Hertz(frameRate), isMirrored: isMirrored)
  ).sequences(from: [table.file])
}

/// Reads one line of comma-separated text as a table.
func read(text: String, labels: [String] = ["*=none"]) throws -> [ImportedSequence] {
  try MediaPipeSource(options: MediaPipeOptions(labels: LabelMap(labels)))
    .sequences(from: [NamedText(name: "t.csv", text: text)])
}

/// The largest distance of two positions' components.
func distance(_ one: Vector3?, _ other: Vector3?) -> Double {
  guard let one, let other else { return one == other ? 0 : .infinity }
  return [one.x - other.x, one.y - other.y, one.z - other.z].map(\.magnitude).max() ?? 0
}

/// Every joint of every frame, for comparing recordings.
func positions(_ recording: Recording) -> [[Joint: Vector3]] {
  (0..<recording.frameCount).map { frame in
    Dictionary(
      uniqueKeysWithValues: recording.header.joints.compactMap { joint in
        recording.position(of: joint, at: frame).map { (joint, $0) }
      })
  }
}

internal import PlankDetection
internal import PoseDatasets

enum CandidateMeasurements {
  /// The measurements that are built in, those of the detector, and those of a YAML file.
  /// - Throws: with the exit code `noInput` for a missing file; `FieldError` for a mistake in it.
  static func all(for detector: DetectorDefinition, file path: String?) throws -> [Measurement] {
    let known = detector.reportedMeasurements.members
    guard let path else { return known }
    let map = try YAMLDocument(text: InputText.read(path), file: path).root.map()
    try map.rejectUnknownKeys(known: ["measurements"])
    let node = try map.required("measurements")
    let names = try DetectorNames(measurements: node, conditions: nil, axes: detector.axes)
    let new = names.measurements.filter { !known.contains($0) }
    for measurement in new where known.contains(where: { $0.name == measurement.name }) {
      throw node.error(
        allowed: "names that no measurement of the detector has",
        remedy: "rename `\(measurement.name)`", found: "`\(measurement.name)`")
    }
    return known + new
  }
}

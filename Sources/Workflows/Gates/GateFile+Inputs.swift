internal import FoundationEssentials
internal import PoseDatasets
internal import Specifications

extension GateFile {
  /// Checks what the file names and no option replaces, so that a mistake has its line.
  ///
  /// - Throws: `WorkflowFailure`: `noInput` for files that do not exist, `badData` for a split that
  ///   the dataset does not have.
  static func checkInputs(
    _ gate: GateSettings, _ overrides: Overrides
  ) throws(WorkflowFailure) {
    var inputs: [(field: String, path: String, what: String)] = []
    if overrides.dataset == nil { inputs.append(("dataset", gate.dataset, "dataset")) }
    if overrides.parameters == nil, overrides.predictions == nil {
      if let path = gate.parameters { inputs.append(("parameters", path, "file")) }
      if let path = gate.predictions { inputs.append(("predictions", path, "folder")) }
      if let name = gate.detector, isFile(name) { inputs.append(("detector", name, "file")) }
    }
    for (field, path, what) in inputs where !FileManager.default.fileExists(atPath: path) {
      throw WorkflowFailure(
        .noInput,
        gate.places.message(
          [field],
          "\(path): no such \(what); write its path as seen from the folder of this file"))
    }
    try checkSplit(gate)
  }

  /// Whether a detector's name is a path.
  static func isFile(_ name: String) -> Bool { name.hasSuffix(".yaml") || name.contains("/") }

  private static func checkSplit(_ gate: GateSettings) throws(WorkflowFailure) {
    guard let split = gate.split else { return }
    let reader = try DatasetAccess.open(gate.dataset)
    do {
      _ = try reader.sequences(split: split)
    } catch {
      throw WorkflowFailure(.badData, gate.places.message(["split"], "\(error)"))
    }
  }
}

import PoseModel
import PoseRecording

// Whether a confidence says anything.
extension TableExamination {
  mutating func examineConfidence() {
    guard let confidence = map.confidence else { return }
    let field = confidence.field.map { "`\($0.text)`" } ?? "the number after the coordinates"
    let values = confidences()
    if let problem = Self.problem(of: values) {
      // The import finds by itself that a number is always the same.
      let isBuiltIn = builtIn != nil && values.allSatisfy { $0 == values[0] }
      if !isBuiltIn { map.confidence = nil }
      ignoresConfidence = true
      diagnosis.conclude(
        "confidence", "none that says anything: \(field) is not used", .sure, problem)
      return
    }
    if builtIn == nil, confidence.floor == 0, let floor = Self.floor(of: values) {
      map.confidence?.floor = floor
      let low = values.count { $0 < floor }
      return diagnosis.conclude(
        "confidence", "\(field); joints below \(floor) are missing", .likely,
        "\(CountText.of(low, "value")) of \(CountText.of(values.count)) are below, and none is near it",
        alternatives: ["a `floor` of your own in the map"])
    }
    let dropped = confidence.floor > 0 ? "below \(confidence.floor)" : "at 0"
    diagnosis.conclude(
      "confidence", "\(field); joints \(dropped) are missing", builtIn == nil ? .likely : .sure,
      builtIn == nil ? "it stands beside the coordinates" : "the format has it",
      alternatives: confidence.floor > 0 ? [] : ["a `floor` of your own in the map"])
  }

  /// Between joints that were found and those that were guessed, where a wide gap parts them.
  private static func floor(of values: [Double]) -> Double? {
    let sorted = values.filter { $0 > 0 }.sorted()
    guard
      let index = sorted.indices.dropLast().first(where: {
        sorted[$0] < 0.15 && sorted[$0 + 1] - sorted[$0] >= 0.2
      }), index * 2 < sorted.count
    else { return nil }
    return ((sorted[index] + sorted[index + 1]) / 2 * 100).rounded() / 100
  }

  private static func problem(of values: [Double]) -> String? {
    guard values.count > 1, let least = values.min(), let most = values.max() else { return nil }
    if least == most { return "it is \(short(least)) everywhere" }
    if most == 2, values.allSatisfy({ [0, 1, 2].contains($0) }) {
      return "it is 0, 1 or 2 only: a flag that a person set (COCO's v), and no confidence"
    }
    return least < 0 || most > 1
      ? "it goes from \(short(least)) to \(short(most)), and a confidence from 0 to 1" : nil
  }

  private func confidences() -> [Double] {
    var paths: [FieldPath] = []
    for place in map.joints.values {
      switch place {
      case .point(let path):
        if let field = map.confidence?.field { paths.append(FieldPath(path.steps + field.steps)) }
      case .fields(let fields):
        if fields.count > map.skeleton.dimension, let last = fields.last { paths.append(last) }
      }
    }
    return paths.flatMap { path in
      var reader = FieldReader(path)
      return samples.compactMap { reader.field(of: $0)?.number }.filter(\.isFinite)
    }
  }
}

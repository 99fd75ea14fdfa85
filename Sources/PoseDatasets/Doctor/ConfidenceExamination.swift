import PoseModel
import PoseRecording

// Whether a confidence says anything.
extension TableExamination {
  mutating func examineConfidence() {
    guard var confidence = map.confidence else { return }
    let field = confidence.field.map { "`\($0.text)`" } ?? "the number after the coordinates"
    let written = confidences()
    if let problem = Self.problem(of: written) {
      // The import finds by itself that a number is always the same.
      let isBuiltIn = builtIn != nil && written.allSatisfy { $0 == written[0] }
      if !isBuiltIn { map.confidence = nil }
      ignoresConfidence = true
      diagnosis.conclude(
        "confidence", "none that says anything: \(field) is not used", .sure, problem)
      return
    }
    let found = Self.scale(of: written)
    if let scale = found.scale {
      confidence.scale = scale
      map.confidence = confidence
    } else {
      map.confidence = nil
      ignoresConfidence = true
    }
    let values = written.map(confidence.share)
    if let text = found.text {
      if builtIn == nil, let floor = Self.floor(of: values), confidence.floor == 0 {
        map.confidence?.floor = floor
      }
      let floor = map.confidence?.floor ?? 0
      let low = values.count { $0 <= 0 || $0 < floor }
      return diagnosis.conclude(
        "confidence", "\(field), \(text)", found.isSure ? .likely : .unsure,
        "it goes from \(Self.short(written.min() ?? 0)) to \(Self.short(written.max() ?? 0))"
          + (map.confidence == nil
            ? "" : "; \(CountText.of(low, "joint")) of \(CountText.of(values.count)) are missing"),
        alternatives: ["`scale` and `floor` of `confidence` in the map, or a map without it"])
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
    return nil
  }

  /// How confidences are written; no text for shares, and no scale for what cannot be one.
  ///
  /// One negative number, such as -1, stands for missing joints; many are logarithms of odds.
  private static func scale(
    of values: [Double]
  ) -> (scale: TableMap.Confidence.Scale?, text: String?, isSure: Bool) {
    let negative = Set(values.filter { $0 < 0 })
    let most = values.max() ?? 0
    guard negative.count <= 2 else {
      guard most <= 40, values.allSatisfy({ $0 >= -1000 }) else {
        return (nil, "not used: no scale of confidences has such numbers", false)
      }
      return (.logit, "taken for logarithms of odds (`scale: logit`)", false)
    }
    if most <= 1 { return (.number(1), nil, true) }
    // Peaks of heat maps pass 1 by a little.
    if most <= 1.5 { return (.number(1), "shares, of which those above 1 count as 1", true) }
    if (20...100).contains(most) {
      return (.number(100), "percent: 100 is certain, and 0 or less is missing", true)
    }
    if most > 100, most <= 255, values.allSatisfy({ $0 == $0.rounded() }) {
      return (.number(255), "bytes: 255 is certain, and 0 or less is missing", false)
    }
    return (nil, "not used: no scale of confidences has such numbers", false)
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

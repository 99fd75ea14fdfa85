internal import PoseSynthesis
internal import Specifications

extension SynthesizeRequest {
  /// The script that the request means: the file's or the preset's, with the numbers given.
  ///
  /// - Throws: `WorkflowFailure`: `usage` for options that do not fit, `noInput` or `badData` for
  ///   the file.
  func resolvedScript() throws(WorkflowFailure) -> SynthesisScript {
    guard let script else {
      var parameters = StudioParameters(preset: try noisePreset())
      try replace(&parameters)
      return SynthesisScript(.studio(parameters))
    }
    guard preset == nil else {
      throw WorkflowFailure(
        .usage, "--preset and a script exclude each other; write `preset` into the script")
    }
    var result = try Self.parsed(script)
    switch result.content {
    case .studio(var parameters):
      try replace(&parameters)
      result.content = .studio(parameters)
    case .session(var session):
      guard subjects == nil, frames == nil else {
        throw WorkflowFailure(
          .usage,
          "\(script): is one session; --subjects and --frames are for studios, leave them out")
      }
      if let seed { session.seed = seed }
      result.content = .session(session)
    }
    return result
  }

  private static func parsed(_ path: String) throws(WorkflowFailure) -> SynthesisScript {
    let text = try InputText.read(path)
    do {
      return try SynthesisSpecification.parse(text, file: path)
    } catch {
      throw WorkflowFailure(.badData, "\(error)")
    }
  }

  private func noisePreset() throws(WorkflowFailure) -> NoisePreset {
    let names = NoisePreset.allCases.map(\.rawValue).joined(separator: ", ")
    guard let preset else {
      throw WorkflowFailure(
        .usage, "give a script or --preset (\(names)); `planklab synthesize --list` shows both")
    }
    guard let noise = NoisePreset(rawValue: preset) else {
      throw WorkflowFailure(.usage, "no preset `\(preset)`; presets are \(names)")
    }
    return noise
  }

  private func replace(_ parameters: inout StudioParameters) throws(WorkflowFailure) {
    if let subjects { parameters.subjects = subjects }
    if let seed { parameters.seed = seed }
    if let frames {
      parameters.frames = frames
      parameters.only = nil
    }
    do {
      try parameters.validate()
    } catch {
      throw WorkflowFailure(.usage, "\(error)")
    }
  }
}

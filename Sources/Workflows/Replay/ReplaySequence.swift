internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reporting

/// Runs a recording as a session: who held what when, what paused it, and what it scored.
package enum ReplaySequence {
  /// Runs the command.
  ///
  /// - Throws: `WorkflowFailure`: `usage` for strategies and parameters with a mistake, `noInput`
  ///   and `badData` for recordings, `cannotCreate` for the picture.
  package static func run(_ request: ReplayRequest) throws(WorkflowFailure) -> Outcome {
    let steady = try request.detector.resolve(request.steadying)
    let session = try sessionParameters(request.session)
    let context = try RecordingContext(path: request.recording)
    guard context.sequence.recording.frameCount > 0 else {
      throw WorkflowFailure(.badData, "\(request.recording): has no frame to replay")
    }
    let replay = try SessionReplay(context.sequence, steady, session)
    var remarks: [String] = []
    if let picture = request.picture {
      try OutputFile.writeReport(replay.timeline.svg(), to: picture)
      remarks.append("wrote \(picture)")
    }
    return Outcome(
      request.format, usesColor: request.usesColor, remarks: remarks, json: replay.json,
      document: replay.document)
  }

  private static func sessionParameters(
    _ assignments: [String]
  ) throws(WorkflowFailure) -> SessionParameters {
    try Assignments.checkRepeats(assignments, option: "--session")
    var values: [ParameterKey: Double] = [:]
    for assignment in assignments {
      let parts = assignment.split(separator: "=", maxSplits: 1).map(String.init)
      let definition = SessionParameters.definitions.first { $0.key.rawValue == parts.first }
      guard parts.count == 2, let definition else {
        throw WorkflowFailure(
          .usage,
          "--session \(assignment): give key=value with one of "
            + SessionParameters.definitions.map(\.key.rawValue).joined(separator: ", "))
      }
      do {
        values[definition.key] = try definition.parse(parts[1])
      } catch {
        throw WorkflowFailure(.usage, "--session \(assignment): \(error)")
      }
    }
    do {
      return try SessionParameters(values)
    } catch {
      throw WorkflowFailure(.usage, "--session: \(error)")
    }
  }
}

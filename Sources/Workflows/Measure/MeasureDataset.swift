internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reporting

/// Writes measurements, raw labels and answers of every frame as CSV, and how they jitter.
package enum MeasureDataset {
  /// Runs the command.
  package static func run(
    _ request: MeasureRequest, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> Outcome {
    let detector = try request.detector.resolve(request.steadying)
    let reader = try DatasetAccess.open(request.dataset)
    let entries = try DatasetAccess.failing { () throws(DatasetError) in
      try reader.sequences(split: request.split)
    }
    let folder = try StagedFolder(destination: request.output)
    do {
      let parts = try await ConcurrentMap.run(entries, progress: progress) {
        (entry) throws(WorkflowFailure) -> (frames: Int, jitter: JitterStatistics) in
        let sequence = try DatasetAccess.load(entry, from: reader)
        let table = FrameTable(sequence, detector)
        try OutputFile.write(table.bytes(), to: folder.path(of: sequence.name + ".csv"))
        let jitter = table.jitter
        try write(SpectrumTables(jitter), sequence.name, to: folder)
        return (sequence.recording.frameCount, jitter)
      }
      try folder.commit()
      let total = parts.reduce(0) { $0 + $1.frames }
      let jitter = parts.reduce(into: JitterStatistics()) { $0 += $1.jitter }
      return Outcome(
        "wrote \(entries.count) tables, \(total) frames, to \(folder.destination)\n"
          + details(jitter))
    } catch {
      folder.abandon()
      throw error
    }
  }

  /// Spectra and Allan deviations lie in folders beside the tables.
  private static func write(
    _ tables: SpectrumTables, _ name: String, to folder: StagedFolder
  ) throws(WorkflowFailure) {
    if let spectrum = tables.spectrum {
      try OutputFile.write(spectrum, to: folder.path(of: "spectra/\(name).csv"))
    }
    if let allan = tables.allan {
      try OutputFile.write(allan, to: folder.path(of: "allan/\(name).csv"))
    }
  }

  private static func details(_ jitter: JitterStatistics) -> String {
    guard (jitter.rows + jitter.movementRows).contains(where: { $0.frames > 0 }) else { return "" }
    return TextRenderer(usesColor: false).render(jitter.details)
  }
}

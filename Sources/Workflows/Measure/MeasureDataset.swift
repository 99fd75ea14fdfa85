internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

/// Writes measurements, raw labels and answers of every frame as CSV.
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
      let frames = try await ConcurrentMap.run(entries, progress: progress) {
        (entry) throws(WorkflowFailure) -> Int in
        let sequence = try DatasetAccess.load(entry, from: reader)
        let table = FrameTable(sequence, detector)
        try OutputFile.write(table.bytes(), to: folder.path(of: sequence.name + ".csv"))
        return sequence.recording.frameCount
      }
      try folder.commit()
      let total = frames.reduce(0, +)
      return Outcome(
        "wrote \(entries.count) tables, \(total) frames, to \(folder.destination)\n")
    } catch {
      folder.abandon()
      throw error
    }
  }
}

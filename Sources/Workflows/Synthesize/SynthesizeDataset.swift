internal import FoundationEssentials
internal import PoseDatasets
internal import PoseModel
internal import PoseRecording
internal import PoseSynthesis
internal import Specifications

/// Makes a dataset of labeled synthetic recordings from a script.
///
/// Every session follows from the script alone and is written to files of its own; so equal
/// scripts give equal bytes, for any number of threads.
package enum SynthesizeDataset {
  /// Positions are written to 0.1 mm: finer than any camera sees, and stable text.
  private static let decimals = 4

  /// Runs the command.
  ///
  /// - Throws: `WorkflowFailure` for a script or options that are wrong, or a folder that cannot
  ///   be made; nothing appears then.
  package static func run(
    _ request: SynthesizeRequest, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> Outcome {
    let script = try request.resolvedScript()
    let sessions = try sessions(of: script)
    let folder = try StagedFolder(destination: request.output)
    do {
      let files = try await ConcurrentMap.run(sessions, progress: progress) {
        (session) throws(WorkflowFailure) -> SynthesizedFiles in
        try write(session, to: folder)
      }
      let manifest = DatasetManifest(
        name: script.name ?? URL(filePath: folder.destination).lastPathComponent,
        description: script.description ?? description(of: script.content),
        license: script.license, sequences: files.map(\.entry))
      try OutputFile.write(
        DatasetManifestWriter.text(of: manifest), to: folder.path(of: DatasetManifest.fileName))
      try folder.commit()
      return outcome(files, folder.destination)
    } catch {
      folder.abandon()
      throw error
    }
  }

  private static func sessions(
    of script: SynthesisScript
  ) throws(WorkflowFailure) -> [SessionScript] {
    switch script.content {
    case .session(let session): return [session]
    case .studio(let parameters):
      do {
        return try StudioPlan(parameters).scripts
      } catch {
        throw WorkflowFailure(.badData, "\(error)")
      }
    }
  }

  private static func write(
    _ session: SessionScript, to folder: StagedFolder
  ) throws(WorkflowFailure) -> SynthesizedFiles {
    let sequence: SynthesizedSequence
    do {
      sequence = try SessionSynthesizer(session).synthesized()
    } catch {
      throw WorkflowFailure(.badData, "\(error)")
    }
    let base = "recordings/" + sequence.name
    let entry = SequenceEntry(
      posesPath: base + ".poses.jsonl", labelsPath: base + ".labels.csv",
      subject: sequence.subject, startsMid: sequence.startsMid, tags: sequence.tags)
    let path = try folder.path(of: entry.posesPath)
    do {
      try PoseRecordingWriter.write(sequence.recording, to: path, decimals: decimals)
    } catch {
      throw WorkflowFailure(.cannotCreate, "\(path): \(error)")
    }
    try OutputFile.write(
      LabelsWriter.text(of: sequence.labels), to: folder.path(of: base + ".labels.csv"))
    return SynthesizedFiles(entry: entry, frames: sequence.recording.frameCount)
  }

  private static func description(of content: SynthesisScript.Content) -> String {
    switch content {
    case .studio(let studio):
      "Synthetic: studio of \(studio.subjects) people, noise \(studio.noiseName), "
        + "seed \(studio.seed); no real person"
    case .session(let session): "Synthetic: one session, seed \(session.seed); no real person"
    }
  }

  private static func outcome(_ files: [SynthesizedFiles], _ folder: String) -> Outcome {
    let frames = files.reduce(0) { $0 + $1.frames }
    let subjects = Set(files.compactMap(\.entry.subject)).count
    return Outcome(
      "wrote \(folder): \(files.count) sequences, \(subjects) subjects, \(frames) frames\n",
      remarks: ["next: planklab evaluate \(ShellWord.quoted(folder))"])
  }
}

/// What was written of one session.
private struct SynthesizedFiles: Sendable {
  let entry: SequenceEntry
  let frames: Int
}

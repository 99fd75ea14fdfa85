internal import Platform
package import PoseDatasets
internal import PoseModel

package struct DoctorReport: JSONObject {
  private let recordings: [ExaminedRecording]
  private let mapPath: String?
  private let imageSize: ImageSize?

  package init(_ recordings: [ExaminedRecording], mapPath: String?, imageSize: ImageSize?) {
    self.recordings = recordings
    self.mapPath = mapPath
    self.imageSize = imageSize
  }

  var members: [String: (any Encodable)?] { ["files": recordings.map(\.diagnosis)] }

  package var document: Document {
    var document = Document()
    guard recordings.count > 1 else {
      for recording in recordings {
        append(recording, to: &document)
        appendCommand(for: recording, to: &document)
      }
      return document
    }
    let joint = jointCommand
    let kinds = recordings.grouped { Self.kind(of: $0.diagnosis) }.map(\.elements)
    document.table(kinds) { row, kind in
      let diagnosis = kind[0].diagnosis
      let rest = kind.count == 1 ? "" : " and \(NumberText.count(kind.count - 1, "file")) like it"
      row.words("file", diagnosis.file + rest, .strong)
      row.words("holds", Self.short(diagnosis))
      row.words(
        "import", diagnosis.isImportable ? StyledText("yes", .good) : StyledText("not yet", .bad))
    }
    let others = ExaminedRecording.withPoses(recordings).others.count
    if others > 0 {
      let verb = others == 1 ? "is" : "are"
      document.paragraph(
        "In the folder, \(NumberText.count(others, "file")) without poses \(verb) left out.")
    }
    for recording in kinds.map({ $0[0] })
    where recording.diagnosis.isImportable || recording.diagnosis.frames != nil {
      document.heading(recording.diagnosis.file)
      append(recording, to: &document)
      if joint == nil || recording.diagnosis.reader.isRecording {
        appendCommand(for: recording, to: &document)
      }
    }
    if let joint {
      document.paragraph("Import those marked yes with:")
      document.code([joint])
    }
    return document
  }

  private static func kind(of diagnosis: PoseDiagnosis) -> String {
    diagnosis.map?.yaml ?? diagnosis.form + diagnosis.problems.map(\.found).joined()
  }

  private static func short(_ diagnosis: PoseDiagnosis) -> String {
    let joints = diagnosis.conclusions.first { $0.topic == "joints" }?.finding
    guard diagnosis.frames == nil, let problem = diagnosis.problems.first else {
      return joints ?? diagnosis.form
    }
    return problem.text
  }

  private func append(_ recording: ExaminedRecording, to document: inout Document) {
    let diagnosis = recording.diagnosis
    document.paragraph(sentence(diagnosis), .strong)
    document.list(
      diagnosis.conclusions.map { one in
        var text = "\(one.topic): \(one.finding) (\(one.certainty.rawValue)): \(one.evidence)"
        if !one.alternatives.isEmpty {
          text += "; otherwise " + one.alternatives.joined(separator: ", ")
        }
        return StyledText(text, one.certainty == .unsure ? .warning : .plain)
      })
    if !diagnosis.problems.isEmpty { document.paragraph("Problems and open questions:") }
    document.list(
      diagnosis.problems.map { StyledText($0.text, $0.isBlocking ? .bad : .warning) })
  }

  private func appendCommand(for recording: ExaminedRecording, to document: inout Document) {
    guard let command = command(for: recording) else { return }
    let isRecording = recording.diagnosis.reader.isRecording
    document.paragraph(
      isRecording ? "It is already a recording. Label it with:" : "Import it with:")
    document.code([command])
  }

  private func sentence(_ diagnosis: PoseDiagnosis) -> String {
    var text = "\(diagnosis.file): \(diagnosis.form)"
    if let frames = diagnosis.frames { text += ", \(NumberText.count(frames, "frame"))" }
    if let seconds = diagnosis.seconds { text += ", \(NumberText.fixed(seconds, 1)) s" }
    return text + (diagnosis.isImportable ? "" : ". It cannot be imported yet.")
  }

  private func command(for recording: ExaminedRecording) -> String? {
    let diagnosis = recording.diagnosis
    guard diagnosis.isImportable else { return nil }
    guard !diagnosis.reader.isRecording else {
      return "planklab label \(ShellWord.path(diagnosis.file))"
    }
    let isOneFile = recording.paths.count == 1
    let place = isOneFile ? recording.paths[0] : Self.folder(of: recording)
    let stem = Self.stem(of: place)
    let words = ["planklab", "import", ShellWord.path(place)] + options(for: diagnosis)
    return (words + ["--output", stem + (isOneFile ? "" : "-dataset")]).joined(separator: " ")
  }

  /// The command for all files at once; nil if one of them needs an option that another does not.
  private var jointCommand: String? {
    let all = ExaminedRecording.withPoses(recordings).recordings
    let good = all.filter { $0.diagnosis.isImportable && !$0.diagnosis.reader.isRecording }
    guard let first = good.first, good.count > 1,
      good.allSatisfy({ options(for: $0.diagnosis) == options(for: first.diagnosis) }),
      mapPath == nil || good.allSatisfy({ $0.diagnosis.map?.yaml == first.diagnosis.map?.yaml })
    else { return nil }
    let isWhole = good.count == all.count
    guard isWhole || good.allSatisfy({ $0.paths.count == 1 }) else { return nil }
    let places = good.map { recording in
      let isNamed = recording.folder != nil && isWhole
      return recording.paths.count == 1 && !isNamed
        ? recording.paths[0] : Self.folder(of: recording)
    }.distinct
    let stem = Self.stem(of: places.count == 1 ? places[0] : Self.folder(of: first))
    return
      (["planklab", "import"] + places.map { ShellWord.path($0) } + options(for: first.diagnosis)
      + ["--output", stem + "-dataset"]).joined(separator: " ")
  }

  /// A recording may have many frame files, so commands name their folder; `import` leaves out its
  /// other files.
  private static func folder(of recording: ExaminedRecording) -> String {
    recording.folder ?? URL(filePath: recording.paths[0]).deletingLastPathComponent().relativePath
  }

  private func options(for diagnosis: PoseDiagnosis) -> [String] {
    guard let map = diagnosis.map else { return [] }
    var words = mapPath.map { ["--map", ShellWord.path($0)] } ?? []
    if let imageSize, map.needsImageSize {
      words += ["--image-size", "\(imageSize.width)x\(imageSize.height)"]
    }
    return words + (diagnosis.needsRate ? ["--rate", "30"] : [])
  }

  private static func stem(of file: String) -> String {
    let stem = NamedBytes(name: file, bytes: []).stem.drop { $0 == "-" || $0 == "." }
    return ShellWord.quoted(stem.isEmpty ? "poses" : String(stem))
  }
}

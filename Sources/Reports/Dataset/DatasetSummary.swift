package import PoseDatasets
internal import PoseModel

package struct DatasetSummary: Encodable {
  private let reader: DatasetReader
  private let name: String?
  package let sequences: [SequenceSummary]

  private enum CodingKeys: CodingKey { case name, sequences }

  package init(of reader: DatasetReader, _ sequences: [DatasetSequence]) {
    self.reader = reader
    name = reader.manifest.name
    self.sequences = sequences.map(SequenceSummary.init)
  }

  package var document: Document {
    var document = Document()
    document.heading(name ?? reader.manifestPath, level: 1)
    let frames = sequences.reduce(0) { $0 + $1.sequence.recording.frameCount }
    let subjects = Set(sequences.compactMap(\.sequence.subject)).count
    let labeled = sequences.count { $0.sequence.labels != nil }
    document.paragraph(
      NumberText.count(sequences.count, "sequence") + " of "
        + (subjects > 0 ? NumberText.count(subjects, "subject") : "unnamed subjects") + ", "
        + NumberText.count(frames, "frame") + "; "
        + (labeled == sequences.count
          ? "all labeled." : "\(labeled) labeled; to label more, use " + "`planklab label`."))
    document.paragraph(reader.manifest.description ?? "")
    document.table(sequences) { $1.fill(&$0) }
    return document
  }
}

package struct SequenceSummary {
  let sequence: DatasetSequence

  private var recording: Recording { sequence.recording }
  private var header: RecordingHeader { recording.header }
  private var duration: Double {
    guard let first = recording.times.first, let last = recording.times.last else { return 0 }
    return last - first + recording.frameWeight.value
  }
  private var rate: Double? { recording.medianFrameInterval.map { 1 / $0.value } }
  private var missing: Int { (0..<recording.frameCount).count { recording.isMissing(at: $0) } }

  private var labelSeconds: [(name: String, seconds: Double)] {
    var sums: [String: Double] = [:]
    for segment in sequence.labels?.segments ?? [] {
      let form = segment.form.map { "/" + $0.name } ?? ""
      let name = (segment.plank?.name ?? "ignore") + form
      sums[name, default: 0] += segment.end.value - segment.start.value
    }
    return sums.sorted { $0.key < $1.key }.map { (name: $0.key, seconds: $0.value) }
  }

  func fill(_ row: inout Table.Row) {
    let setup = [
      header.orientation?.rawValue, header.cameraPosition?.rawValue, header.buffer?.rawValue,
      header.bufferRotation.map { "turned \($0.degrees) deg" },
    ].compactMap(\.self).joined(separator: " ")
    let labels = labelSeconds.map { "\($0.name) \(NumberText.fixed($0.seconds, 1)) s" }
    row.words("sequence", sequence.name, .strong)
    row.words("subject", sequence.subject ?? "-")
    row.number("frames", NumberText.count(recording.frameCount))
    row.number("seconds", duration, 1)
    row.number("Hz", rate, 1)
    row.number("missing", NumberText.count(missing))
    row.words("axes", header.frame.rawValue)
    row.words("held", setup.isEmpty ? "-" : setup)
    row.words("labels", labels.isEmpty ? "none" : labels.joined(separator: ", "), .dim)
  }

  package var document: Document {
    var document = Document()
    document.heading(sequence.name, level: 1)
    for sentence in AxesExplanation(recording).sentences { document.paragraph(sentence) }
    document.paragraph(heightSentence)
    document.table(facts) { row, fact in
      row.words("fact", fact.name)
      row.words("value", fact.value, .strong)
    }
    document.heading("Labels")
    document.table(sequence.labels?.segments ?? []) { row, segment in
      row.number("start", segment.start.value, 3)
      row.number("end", segment.end.value, 3)
      row.words("plank", segment.plank?.name ?? "ignore")
      row.words("form", segment.form?.name ?? "")
    }
    return document
  }

  private var facts: [(name: String, value: String)] {
    let tags = sequence.tags.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return [
      ("subject", sequence.subject ?? "unknown"), ("split", sequence.split ?? "-"),
      (
        "skeleton", "\(header.skeleton.rawValue), \(NumberText.count(header.joints.count, "joint"))"
      ),
      ("frames", "\(NumberText.count(recording.frameCount)), \(NumberText.count(missing)) missing"),
      ("duration", NumberText.fixed(duration, 2) + " s"),
      ("rate", rate.map { NumberText.fixed($0, 2) + " Hz (median)" } ?? "n/a"),
      ("longest gap", NumberText.fixed(longestGap, 3) + " s"),
      ("begins inside a hold", sequence.startsMid ? "yes" : "no"),
      ("device answers", recording.hasAnswers ? "yes" : "no"),
      ("tags", tags.isEmpty ? "-" : tags.joined(separator: ", ")),
    ]
  }

  private var longestGap: Double {
    zip(recording.times.dropFirst(), recording.times).map { $0 - $1 }.max() ?? 0
  }

  private var heightSentence: String {
    switch (header.bodyHeight, header.heightEstimation) {
    case (let height?, .measured?):
      "The body height of \(height.value) m was measured, so fractions of it are meaningful."
    case (let height?, nil):
      "The header does not say whether the body height of \(height.value) m was measured; if "
        + "it is a reference, the `scaled` detector is equivalent to `gravity`."
    case (let height?, .reference?):
      "The body height of \(height.value) m is a reference, not a measurement: the `scaled` "
        + "detector is equivalent to `gravity` here."
    case (nil, _):
      "The header gives no body height; frames without their own height use Vision's "
        + "\(HeightEstimation.referenceHeight.value) m."
    }
  }
}

extension SequenceSummary: JSONObject {
  var members: [String: (any Encodable)?] {
    [
      "name": sequence.name, "subject": sequence.subject, "split": sequence.split,
      "starts_mid": sequence.startsMid, "tags": sequence.tags,
      "skeleton": header.skeleton.rawValue, "frame": header.frame.rawValue,
      "joints": header.joints.map(\.name), "orientation": header.orientation?.rawValue,
      "frames": recording.frameCount, "missing_frames": missing, "duration_s": duration,
      "median_rate_hz": rate, "longest_gap_s": longestGap,
      "body_height_m": header.bodyHeight?.value,
      "label_seconds": Dictionary(uniqueKeysWithValues: labelSeconds.map { ($0.name, $0.seconds) }),
    ]
  }
}

internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Statistics
internal import Tuning

struct BaselineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Write, show, list and compare the baselines of gates.",
    subcommands: [BaselineUpdate.self, BaselineShow.self, BaselineList.self, BaselineDiff.self])
}

struct BaselineShow: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a baseline's dataset, detector and numbers.")

  @Argument(help: "The baseline's file.")
  var file: String

  func outcome() throws -> Outcome {
    let baseline = try BaselineAccess.read(file)
    var document = Document()
    document.heading("Baseline \(file)", level: 1)
    document.paragraph(StyledText("Why: \(baseline.reason)"))
    document.list(
      [
        StyledText("dataset: \(baseline.dataset.name) \(baseline.dataset.hash)"),
        StyledText("labels: \(baseline.dataset.labelsHash)"),
        StyledText(
          NumberText.count(baseline.sequences.count, "sequence") + ", "
            + NumberText.count(baseline.subjects, "subject")),
      ] + baseline.facts.map { StyledText("\($0): \($1)") })
    var table = Table([.words("metric"), .number("value"), .number("95 % interval")])
    for line in baseline.metrics {
      table.row([
        StyledText("\(line.key)"), StyledText(BaselineDiff.number(line.value)),
        StyledText(
          line.interval.map {
            "\(BaselineDiff.number($0.lower)) ... \(BaselineDiff.number($0.upper))"
          } ?? "none"),
      ])
    }
    document.table(table)
    return Outcome(TextRenderer(usesColor: Terminal.usesColor).render(document))
  }
}

extension Baseline {
  fileprivate var facts: [(name: String, value: String)] {
    let tree = origin.isDirty.map { $0 ? "dirty" : "clean" }
    let about = [
      (name: "commit", value: origin.commit ?? "none"), ("tree", tree ?? "none"),
      ("date", origin.date), ("program", origin.program), ("detector", detectorName),
    ]
    guard let thresholds else { return about }
    let values = thresholds.parameterTexts.sorted { $0.key < $1.key }
    let rules = AnswerStream.allCases.map { stream in
      let sentences = thresholds.definition.list(stream).sentences
      return (name: "\(stream.rawValue) rules", value: sentences.joined(separator: "; "))
    }
    return about + [
      (name: "smoothing", value: thresholds.smoothing.text),
      ("debounce", thresholds.debounceText),
      ("parameters", values.map { "\($0.key) \($0.value)" }.joined(separator: ", ")),
    ] + rules
  }
}

struct BaselineList: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the baselines in a folder.")

  @Argument(help: "The folder of the baselines.")
  var folder = "."

  func outcome() throws -> Outcome {
    guard try FileDescriptor.isFolder(folder) else {
      throw WorkflowFailure(.noInput, "\(folder): no such folder; give the folder of the baselines")
    }
    var table = Table([
      .words("baseline"), .words("date"), .words("dataset"), .words("detector"),
      .number("subjects"), .words("why"),
    ])
    var remarks: [String] = []
    for name in try InputFiles.names(in: folder) where name.hasSuffix(".json") {
      let baseline: Baseline
      do {
        guard try OutputFile.isBaseline(folder + "/" + name) else { continue }
        baseline = try BaselineAccess.read(folder + "/" + name)
      } catch {
        remarks.append("not listed: \(error)")
        continue
      }
      table.row([
        StyledText(name), StyledText(baseline.origin.date),
        StyledText(baseline.dataset.name), StyledText(baseline.detectorName),
        StyledText("\(baseline.subjects)"), StyledText(baseline.reason),
      ])
    }
    var document = Document()
    document.table(table)
    if table.rows.isEmpty { document.paragraph(StyledText("There are no baselines in \(folder).")) }
    return Outcome(TextRenderer().render(document), remarks: remarks)
  }
}

struct BaselineDiff: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show the metrics that differ between two baselines.")

  @Argument(help: "The old baseline.")
  var before: String

  @Argument(help: "The new baseline.")
  var after: String

  func outcome() throws -> Outcome {
    let before = try BaselineAccess.read(self.before)
    let after = try BaselineAccess.read(self.after)
    var document = Document()
    document.list(
      after.dataset == before.dataset
        ? [] : [StyledText("The datasets differ, so no difference is due to the detector alone.")])
    let values = Dictionary(before.metrics.map { ($0.key, $0.value) }) { first, _ in first }
    var table = Table([
      .words("metric"), .number("before"), .number("after"), .number("difference"),
    ])
    for line in after.metrics where values[line.key] != .some(line.value) {
      let old = values[line.key] ?? nil
      let difference = old.flatMap { old in line.value.map { $0 - old } }
      table.row([
        StyledText("\(line.key)"), StyledText(Self.number(old)),
        StyledText(Self.number(line.value)),
        StyledText(Self.number(difference)),
      ])
    }
    document.table(table)
    if table.rows.isEmpty { document.paragraph("No metric differs.") }
    return Outcome(TextRenderer().render(document))
  }

  static func number(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, 4) } ?? "n/a"
  }
}

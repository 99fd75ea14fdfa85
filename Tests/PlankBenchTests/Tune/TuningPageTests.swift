import ArgumentParser
import Evaluation
import Foundation
import TestSupport
import Testing
import Tuning

@testable import PlankBench

/// What the page of `tune` says, and where its marks are.
@Suite("The page of a recommendation")
struct TuningPageTests {
  private func envelope(
    _ experiment: SimulatedExperiment, _ options: String...
  ) async throws -> ResultEnvelope<TuningResult> {
    let words = [experiment.folder.path, "--format", "json"] + options
    return try saved(try await Tune.parse(words).outcome().text)
  }

  private func saved(_ json: String) throws -> ResultEnvelope<TuningResult> {
    try JSONDocument(json, file: "result.json").decode(ResultEnvelope<TuningResult>.self)
  }

  /// The page's markup without what stands between angle brackets.
  private func text(_ html: String) -> String {
    html.replacing(/<[^>]*>/, with: " ").replacing(/\s+/, with: " ")
  }

  @Test("A change is said with its number, its interval and a name, and what stays is said, too")
  func change() async throws {
    let experiment = try SimulatedExperiment(people: 8, seed: 1, start: -0.2)
    defer { experiment.remove() }
    let envelope = try await envelope(experiment)
    let html = envelope.page.html.text
    #expect(html.contains("panel verdict good") && html.contains("Change 1 setting</p>"))
    #expect(html.contains("<h1>Take <code>limit</code> from -0.2 to "))
    #expect(html.contains("; keep <code>other</code>.</h1>"))
    let advice = try #require(envelope.result.streams.first?.decision.advice)
    #expect(text(html).contains("Plank: \(advice.sentence)"), "\(text(html).prefix(900))")
    #expect(text(html).contains("8 of 8 better; most for s"))
    #expect(html.contains("it changes nothing"))
  }

  @Test("Where the start is about best the page keeps yours, whatever was found")
  func keep() async throws {
    let experiment = try SimulatedExperiment(people: 6, seed: 2)
    defer { experiment.remove() }
    let kept = try await envelope(experiment).page.html.text
    #expect(kept.contains("</b> Keep yours</p>"))
    #expect(kept.contains("the best found, not used; held-out people: "))
    #expect(kept.contains("yours, kept: limit 0 m") && kept.contains("best found, not used: "))
    #expect(text(kept).contains("Nothing changes: the file holds your values"))
  }

  @Test("Of one person the page shows no bars, no interval, and asks for more people")
  func onePerson() async throws {
    let experiment = try SimulatedExperiment(people: 1, seed: 3, start: -0.2)
    defer { experiment.remove() }
    let html = try await envelope(experiment).page.html.text
    #expect(text(html).contains("1 person "))
    #expect(!html.contains("dumbbells") && html.contains("All recordings are of one person"))
    #expect(html.contains("on the data that chose it, so without an interval"))
    #expect(html.contains("more people like these would settle it."))
  }

  @Test("Without validation the page says that nobody was held out")
  func notValidated() async throws {
    let experiment = try SimulatedExperiment(
      people: 4, seed: 1, start: -0.2, more: "validation: none\n")
    defer { experiment.remove() }
    let html = try await envelope(experiment).page.html.text
    #expect(html.contains("The experiment holds nobody out (<code>validation: none</code>)."))
    #expect(text(html).contains("Nobody was held out."))
  }

  @Test("Recordings without people are called recordings")
  func ungrouped() async throws {
    let experiment = try SimulatedExperiment(people: 4, seed: 1, start: -0.2)
    defer { experiment.remove() }
    let manifest = experiment.path("dataset.yaml")
    try String(contentsOfFile: manifest, encoding: .utf8)
      .replacing(/, subject: s[0-9]+/, with: "")
      .write(toFile: manifest, atomically: true, encoding: .utf8)
    let html = try await envelope(experiment, "--allow-ungrouped").page.html.text
    #expect(html.contains("Plank, recording by recording"))
    #expect(html.contains("held-out recordings: ") && html.contains("--allow-ungrouped"))
  }

  @Test("One axis is a curve, none is a sentence, and a stream that was not tuned is named")
  func fewAxes() async throws {
    let experiment = try SimulatedExperiment(people: 3, seed: 1)
    defer { experiment.remove() }
    let one = try await envelope(experiment, "--set", "other=0.9").page.html.text
    #expect(one.contains("plot profile") && !one.contains("class=\"map\""))
    #expect(one.contains("height=\"300\"") && !one.contains("One parameter at a time"))
    #expect(one.contains("form: not tuned"))
    let none = try await envelope(experiment, "--set", "other=0.9", "--set", "limit=0.1")
    let html = none.page.html.text
    #expect(html.contains("there is no map") && !html.contains("plot profile"))
    #expect(html.contains("The experiment has no axis, so there is nothing to choose."))
  }

  @Test("A result from before people and commands were kept still has a page")
  func older() async throws {
    let experiment = try SimulatedExperiment(people: 3, seed: 1, start: -0.2)
    defer { experiment.remove() }
    let made = try await envelope(experiment)
    var object = try #require(
      JSONSerialization.jsonObject(with: Data(made.json.utf8)) as? [String: Any])
    var result = try #require(object["result"] as? [String: Any])
    result["commands"] = nil
    var streams = try #require(result["streams"] as? [[String: Any]])
    var validation = try #require(streams[0]["validation"] as? [String: Any])
    validation["people"] = nil
    streams[0]["validation"] = validation
    streams[0]["views"] = ["profiles": [Any]()]
    result["streams"] = streams
    object["result"] = result
    let data = try JSONSerialization.data(withJSONObject: object)
    let html = try saved(String(decoding: data, as: UTF8.self)).page.html.text
    #expect(html.contains("The result was saved before people were kept"))
    #expect(!html.contains("planklab tune") && !html.contains("class=\"map\""))
    #expect(html.contains("Or copy the "))
  }

  @Test("Names that are made to do harm stay texts")
  func hostileNames() async throws {
    let experiment = try SimulatedExperiment(people: 3, seed: 1, start: -0.2)
    defer { experiment.remove() }
    let hostile = #"</code><img src=x onerror=alert(1)>\" ' & `x`"#
    let made = try await envelope(experiment)
    let json = made.json.replacing("\"s0\"", with: "\"\(hostile)\"")
      .replacing("\"simulated\"", with: "\"\(hostile)\"")
      .replacing("\"limit\"", with: "\"\(hostile)\"")
    let page = try saved(json).page
    let html = try ReportPage.html([SavedResult(name: "a", page)])
    #expect(!html.contains("<img") && html.contains("&lt;img src=x onerror=alert(1)&gt;"))
    #expect(!html.contains(" style="))
  }

  @Test("Few numbers are open, the map has its exact numbers in a closed table")
  func numbers() async throws {
    let experiment = try SimulatedExperiment(people: 8, seed: 1, start: -0.2)
    defer { experiment.remove() }
    let envelope = try await envelope(experiment)
    let html = envelope.page.html.text
    let slice = try #require(envelope.result.streams[0].views.slice)
    for (values, isOn) in zip(slice.objective, slice.isOnPlateau) {
      for (value, isOn) in zip(values, isOn) {
        let text = value.map { NumberText.fixed($0, 4) } ?? "-"
        #expect(html.contains(isOn ? "<td class=\"on\">\(text)</td>" : "<td>\(text)</td>"))
      }
    }
    let validation = envelope.result.streams[0].validation
    let people = try #require(validation.people)
    #expect(people.map(\.subject) == validation.subjects)
    for fold in validation.folds where fold.heldOut.count == 1 {
      let person = try #require(people.first { [$0.subject] == fold.heldOut })
      #expect(person.value == fold.heldOutValue)
    }
    for person in people {
      let (start, value) = (try #require(person.start), try #require(person.value))
      #expect(html.contains("\(NumberText.fixed(start, 3)) → \(NumberText.fixed(value, 3))"))
    }
  }
}

@Suite("Marks at their values")
struct SettingMarkTests {
  @Test("A value between two columns lies between their middles, and none lies beyond the ends")
  func steps() {
    let scale = StepScale(values: [1, 2, 4])
    let shares = [1, 1.5, 3, 4, 0.5, 5].map { scale.share($0).map { ($0 * 6).rounded() } }
    #expect(shares == [1, 2, 4, 5, 0, 6])
    #expect(scale.share(0.4) == nil && scale.share(5.1) == nil && scale.share(.nan) == nil)
    #expect(StepScale(values: [7]).share(7) == 0.5 && StepScale(values: []).share(1) == nil)
  }

  @Test("A map's marks are computed from their values, not from the nearest cell")
  func map() {
    func mark(_ kind: SettingMark.Kind, _ column: Double, _ row: Double) -> HeatMap.Mark {
      HeatMap.Mark(setting: SettingMark(kind: kind, text: "\(kind)"), column: column, row: row)
    }
    let html = HeatMap(
      title: "t", metric: "m",
      columns: .init(name: "a", unit: "", scale: StepScale(values: [0.5, 0.54, 0.58, 0.62])),
      rows: .init(name: "b", unit: "m", scale: StepScale(values: [0, 1])),
      cells: [[0, 1, nil, 1], [1, 1, 1, 1]],
      isOnPlateau: [[false, true, false, false], [false, false, false, false]],
      marks: [mark(.use, 0.55, 0.25), mark(.own, 0.7, 0)]
    ).html.text
    // (1.25 + 0.5) / 4 from the left, and (0.25 + 0.5) / 2 from below.
    #expect(html.contains("class=\"spot use\" cx=\"43.75%\" cy=\"62.50%\""))
    #expect(html.components(separatedBy: "class=\"spot own\"").count == 2)
    #expect(html.contains("own (not among the tried values)"))
    #expect(html.contains("class=\"hole\" d=\"M2 1h1v1h-1z\""))
    #expect(html.contains("d=\"M1 1h1M1 2h1M1 1v1M2 1v1\""))
  }

  @Test("A curve reaches to values that were not tried")
  func profile() {
    let html = ProfilePlot(
      name: "a", unit: "m", metric: "m", values: [1, 2, 3], numbers: [0, 1, 0.5],
      plateau: 2...2,
      marks: [
        .init(setting: SettingMark(kind: .use, text: "use"), value: 5, number: 0.25),
        .init(setting: SettingMark(kind: .own, text: "own"), value: 2.2, number: nil),
      ], axis: PlotAxis([0, 1])
    ).html.text
    let scale = BarScale(range: 0.88...5.12)
    #expect(html.contains("class=\"spot use\" cx=\"\(scale.place(5))\" cy=\"75.00%\""))
    #expect(html.contains("class=\"stem own\" x1=\"\(scale.place(2.2))\""))
    #expect(html.contains("<title>a 2 m: 1.0000</title>"))
  }

  @Test("A list's marks are at their values, and a kept value has one mark")
  func list() {
    func row(_ after: Double) -> ThresholdList.Row {
      ThresholdList.Row(
        name: "a", before: "1", after: "\(after)", isChanged: after != 1, why: "why",
        place: .init(range: 0...4, plateau: 1...2, text: "1 to 2", before: 1, after: after))
    }
    let changed = ThresholdList(rows: [row(3)]).html.text
    #expect(changed.contains("class=\"from\" cx=\"25.00%\""))
    #expect(changed.contains("class=\"to\" cx=\"75.00%\"") && changed.contains("✓ change"))
    #expect(changed.contains("class=\"level\" x=\"25.00%\" width=\"25.00%\""))
    let kept = ThresholdList(rows: [row(1)]).html.text
    #expect(!kept.contains("class=\"from\"") && kept.contains("= keep"))
  }
}

internal import PoseModel
internal import PoseSynthesis

/// What a script of `synthesize` may say.
package enum ScriptCatalogue {
  package static var document: Document {
    var document = Document()
    document.heading("Synthesis scripts", level: 1)
    document.paragraph(
      "A script is a YAML file with either `studio` (many sessions, planned from a seed) or "
        + "`holds` (one session). Both can have the sections below; in a studio, these override "
        + "the plan in every session. Keys contain their units.")
    document.list([
      "name, description, license: of the dataset; optional",
      "studio: {preset, program, subjects, seed, frames, only}; program is textbook or everyday",
      "seed, tags, subject.name, subject.seed, noise.preset: of a single session",
      StyledText(
        "holds: [{posture, duration_s, form, placement, drift}]; durations are "
          + "\(Hold.durations.lowerBound) to \(Hold.durations.upperBound) s"),
    ])
    document.append(postures)
    document.append(noise)
    for section in SessionScript.sections where !section.name.hasPrefix("noise.") {
      document.append(part(section, title: section.name, root: SessionScript(holds: [])))
    }
    for section in Hold.sections {
      let root = Hold(.forearm, for: Seconds(1))
      document.append(part(section, title: "holds[].\(section.name)", root: root))
    }
    return document
  }

  private static var postures: Document {
    var document = Document()
    document.heading("Postures")
    for (title, choice) in [("planks", true), ("labeled none", false)] {
      let names = Posture.allCases.filter { $0.isPlank == choice }.map(\.rawValue)
      document.paragraph("\(title): " + names.joined(separator: ", "))
    }
    return document
  }

  private static var noise: Document {
    var document = Document()
    document.heading("noise: the presets, number by number")
    for section in SessionScript.sections where section.name.hasPrefix("noise.") {
      var table = Table(
        [.words(section.name)] + NoisePreset.allCases.map { .number($0.rawValue) }
          + [.words("range"), .words("meaning")])
      func row(_ key: String, _ allowed: StyledText, _ meaning: String) {
        let values = NoisePreset.allCases.map { preset -> StyledText in
          var script = SessionScript(holds: [])
          script.noise = preset.parameters
          return StyledText(section.text(of: key, in: script) ?? "")
        }
        table.row([StyledText(key, .strong)] + values + [allowed, StyledText(meaning)])
      }
      for choice in section.choices {
        row(choice.key, StyledText(choice.allowed.joined(separator: ", ")), choice.meaning)
      }
      for number in section.numbers {
        row(number.key, range(number.range, number.unit), number.meaning)
      }
      document.table(table)
    }
    return document
  }

  private static func part<Root>(
    _ section: ScriptSection<Root>, title: String, root: Root
  ) -> Document {
    var document = Document()
    document.heading(title)
    var table = Table([.words("key"), .number("default"), .words("allowed"), .words("meaning")])
    for choice in section.choices {
      table.row([
        StyledText(choice.key, .strong), StyledText(section.text(of: choice.key, in: root) ?? ""),
        StyledText(choice.allowed.joined(separator: ", ")), StyledText(choice.meaning),
      ])
    }
    for number in section.numbers {
      table.row([
        StyledText(number.key, .strong), StyledText(section.text(of: number.key, in: root) ?? ""),
        range(number.range, number.unit), StyledText(number.meaning),
      ])
    }
    document.table(table)
    return document
  }

  private static func range(_ range: ClosedRange<Double>, _ unit: String) -> StyledText {
    let unit = unit.isEmpty ? "" : " " + unit
    let (low, high) = (range.lowerBound, range.upperBound)
    return StyledText("\(NumberText.shortest(low)) to \(NumberText.shortest(high))\(unit)")
  }
}

internal import PoseModel
package import PoseSynthesis

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
      let presets = NoisePreset.allCases.map { preset in
        var script = SessionScript(holds: [])
        script.noise = preset.parameters
        return (preset.rawValue, script)
      }
      document.table(table(section, section.name, presets, allowed: "range"))
    }
    return document
  }

  private static func part<Root>(
    _ section: ScriptSection<Root>, title: String, root: Root
  ) -> Document {
    var document = Document()
    document.heading(title)
    document.table(table(section, "key", [("default", root)], allowed: "allowed"))
    return document
  }

  private static func table<Root>(
    _ section: ScriptSection<Root>, _ title: String, _ roots: [(name: String, root: Root)],
    allowed: String
  ) -> Table {
    var table = Table()
    func row(_ key: String, _ values: String, _ meaning: String) {
      table.row {
        $0.words(title, key, .strong)
        for (name, root) in roots { $0.number(name, section.text(of: key, in: root) ?? "") }
        $0.words(allowed, values)
        $0.words("meaning", meaning)
      }
    }
    for choice in section.choices {
      row(choice.key, choice.allowed.joined(separator: ", "), choice.meaning)
    }
    for number in section.numbers {
      row(number.key, range(number.range, number.unit), number.meaning)
    }
    return table
  }

  private static func range(_ range: ClosedRange<Double>, _ unit: String) -> String {
    let unit = unit.isEmpty ? "" : " " + unit
    return NumberText.shortest(range.lowerBound) + " to " + NumberText.shortest(range.upperBound)
      + unit
  }
}

extension ErrorBank {
  package var document: Document {
    let summary = summary
    var document = Document()
    document.heading("Errors of \(madeFrom.map(\.dataset).joined(separator: ", "))")
    document.paragraph(
      "\(NumberText.count(summary.stretches, "hold")) of "
        + "\(NumberText.count(summary.recordings, "recording")) of "
        + "\(NumberText.people(summary.people)): \(NumberText.count(summary.frames, "frame")), "
        + "\(NumberText.fixed(summary.rate.value, 1)) Hz, "
        + "\(NumberText.percent(summary.withoutPose)) without a pose")
    document.list([
      StyledText(
        "postures: "
          + summary.postures.map {
            "\($0.posture?.rawValue ?? "none of the studio's") \($0.stretches)"
          }.joined(separator: ", "))
    ])
    document.table(summary.bones.filter { $0.missing < 1 }) { row, bone in
      row.words("bone to", bone.joint)
      row.number("bias, deg", bone.bias.map { NumberText.fixed($0, 1) } ?? "-")
      row.number("slow", bone.slowAcross, 2)
      row.number("in depth", bone.slowDepth, 2)
      row.number("fast", bone.fastAcross, 2)
      row.number("in depth", bone.fastDepth, 2)
      row.number("length", NumberText.percent(bone.length))
      row.number("missing", NumberText.percent(bone.missing))
    }
    return document
  }
}

internal import PlankDetection
package import Tuning

/// The smoothing filters and debounce rules with one name, or all of them.
package struct StrategyListing: Encodable {
  private let name: String?
  private let smoothing: [StrategyCatalogue.Entry]
  private let debounce: [StrategyCatalogue.Entry]

  private enum CodingKeys: CodingKey { case smoothing, debounce }

  package init(_ name: String?) {
    self.name = name
    smoothing = StrategyCatalogue.smoothing.filter { name == nil || $0.name == name }
    debounce = StrategyCatalogue.debounce.filter { name == nil || $0.name == name }
  }

  package var document: Document {
    var document = Document()
    for (title, chosen) in [
      ("Smoothing, for --smoothing", smoothing), ("Debounce, for --debounce", debounce),
    ] where !chosen.isEmpty {
      document.heading(title)
      document.table(Self.overview(chosen))
      // Any threshold may have a band, so bands have their own screen, `planklab smoothers bands`.
      document.table(Self.parameters(name == nil ? chosen.filter(\.hasDefaults) : chosen))
    }
    guard name == nil else { return document }
    document.heading("How to write a strategy")
    document.list(Self.grammar.map { StyledText($0) })
    return document
  }

  private static let grammar: [String] = [
    """
    Join steps with +, first to last. Omitted parameters take their defaults: \
    median:frames=5+one-euro:minCutoff=1Hz,beta=0.5@joints
    """,
    """
    @joints (the default) smooths coordinates; @measurements smooths what is measured from them. \
    Put steps for joints first. Give the length of a window as frames=9 or seconds=0.3s.
    """,
    """
    A debounce rule with @plank or @form applies only to that stream; without either, it applies to both: \
    dwell:enter=0.3s,exit=0.5s@plank+vote@form
    """,
    """
    For hysteresis around thresholds, bands:side_rise=2cm,elbow_split=5deg gives half the width of \
    each band. Other thresholds have no band. `planklab smoothers bands` lists the thresholds.
    """,
    "The rule `parameters` leaves debounce to plank_frames and form_frames.",
  ]

  private static func overview(_ entries: [StrategyCatalogue.Entry]) -> Table {
    Table(entries) { row, entry in
      row.words("name", entry.name, .strong)
      row.words("what it does", entry.summary)
      row.words("example", entry.example)
    }
  }

  private static func parameters(_ entries: [StrategyCatalogue.Entry]) -> Table {
    var table = Table()
    for entry in entries {
      for parameter in entry.parameters {
        let isOther = !entry.hasDefaults || entry.alternatives.dropFirst().contains(parameter.key)
        table.row {
          $0.words("name", entry.name)
          $0.words("parameter", parameter.key.rawValue, .strong)
          $0.number("default", isOther ? "" : NumberText.shortest(parameter.defaultValue))
          $0.words("unit", parameter.unit.rawValue)
          $0.number("from", NumberText.shortest(parameter.range.lowerBound))
          $0.number("to", NumberText.shortest(parameter.range.upperBound))
          $0.words("meaning", parameter.meaning)
        }
      }
    }
    return table
  }
}

extension StrategyCatalogue.Entry: JSONObject {
  var members: [String: (any Encodable)?] {
    [
      "name": name, "summary": summary, "causal": isCausal, "text": example,
      "alternatives": alternatives.map(\.rawValue),
      "parameters": parameters.map { ParameterListing($0, hasDefault: hasDefaults) },
    ]
  }
}

internal import Evaluation

extension JitterStatistics {
  /// Measurements and joints by name, units stated.
  var json: JSONValue {
    func part(_ kind: JitterSignal.Kind) -> JSONValue {
      .array(rows.filter { $0.signal.kind == kind }.map(\.json))
    }
    return .object([
      "what": .string("frames of holds: truth constant, a plank other than none"),
      "measurements": part(.measurement), "joints": part(.joint),
    ])
  }

  /// A row a signal.
  ///
  /// Lengths are given in centimeters where they are small.
  var table: Table {
    var table = Table([
      .words("signal on holds"), .number("RMS step"), .number("robust spread"),
      .number("acceleration"), .words("unit"), .number("pairs"), .number("holds"),
    ])
    for row in rows where row.frames > 0 {
      let unit = row.signal.unit
      let factor = unit == "m" ? 100.0 : 1
      func cell(_ value: MetricValue, _ decimals: Int) -> StyledText {
        StyledText(value.number.map { NumberText.fixed($0 * factor, decimals) } ?? "n/a")
      }
      let isFine = unit == "-" || unit == "body heights"
      table.row([
        StyledText(row.signal.name), cell(row.rmsStep, isFine ? 4 : 2),
        cell(row.robustSpread, isFine ? 4 : 2), cell(row.acceleration, isFine ? 2 : 0),
        StyledText(unit == "m" ? "cm, cm/s^2" : "\(unit), \(row.accelerationUnit)", .dim),
        StyledText("\(row.pairs)"), StyledText("\(row.holds)"),
      ])
    }
    return table
  }
}

extension JitterRow {
  fileprivate var json: JSONValue {
    let numbers = JSONValue.members([
      "rms_step": rmsStep, "robust_spread": robustSpread, "acceleration": acceleration,
    ])
    let facts: [String: JSONValue] = [
      "name": .string(signal.name), "unit": .string(signal.unit),
      "acceleration_unit": .string(accelerationUnit), "frames": .integer(frames),
      "pairs": .integer(pairs), "triples": .integer(triples), "holds": .integer(holds),
    ]
    return .object(facts.merging(numbers) { fact, _ in fact })
  }
}

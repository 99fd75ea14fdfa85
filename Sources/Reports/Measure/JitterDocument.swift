package import Evaluation

extension JitterSummary {
  package func screen(isFull: Bool) -> Document {
    var document = Document()
    guard (rows + movementRows).contains(where: { $0.frames > 0 }) else { return document }
    guard !isFull else { return details }
    document.heading("Jitter in holds")
    document.table(table)
    document.paragraph(
      "For spectra, averaging times, bone lengths and jitter outside holds, add --verbose.")
    return document
  }

  var table: Table { Self.table("signal in holds", rows) }

  var movementTable: Table { Self.table("signal outside holds", movementRows) }

  var boneTable: Table {
    var table = Table([
      .words("bone in holds"), .number("length"), .number("variation"), .number("frames"),
    ])
    for bone in bones where bone.frames > 0 {
      table.row([
        StyledText(bone.name), StyledText(bone.length.text()),
        StyledText(bone.variation.percentText), StyledText(NumberText.count(bone.frames)),
      ])
    }
    return table
  }

  private static func table(_ title: String, _ rows: [JitterRow]) -> Table {
    var table = Table([
      .words(title), .number("RMS step"), .number("robust spread"), .number("acceleration"),
      .number("lag-1"), .words("unit"), .number("pairs"), .number("holds"),
    ])
    for row in rows where row.frames > 0 {
      let unit = row.signal.unit
      let decimals = row.isFine ? 4 : 2
      table.row([
        StyledText(row.signal.name), row.cell(row.rmsStep, decimals),
        row.cell(row.robustSpread, decimals), row.cell(row.acceleration, row.isFine ? 2 : 0),
        StyledText(row.lagOneCorrelation.text(2)),
        StyledText(unit == "m" ? "cm, cm/s^2" : "\(unit), \(row.accelerationUnit)", .dim),
        StyledText(NumberText.count(row.pairs)), StyledText(NumberText.count(row.holds)),
      ])
    }
    return table
  }

  var details: Document {
    var document = Document()
    document.heading("Jitter in holds")
    document.table(table)
    document.table(Self.spectralTable("signal in holds", rows))
    document.paragraph(
      """
      Noise is the standard deviation, per axis, of white noise with the same RMS step. Lag-1 is \
      the correlation of neighboring frames about each hold's mean; if it is near 1, no causal \
      smoother helps. The best averaging time is the one with the lowest Allan deviation; a longer \
      time constant adds lag without reducing jitter. HF is the share of power above 3 Hz.
      """)
    document.table(boneTable)
    document.heading("Outside holds")
    document.table(movementTable)
    document.table(Self.spectralTable("signal outside holds", movementRows))
    document.paragraph(
      """
      SPARC and LDLJ describe how smooth a movement is; values closer to 0 mean smoother movement. \
      Without movement, SPARC and LDLJ describe noise, so no gate should use them.
      """)
    return document
  }

  private static func spectralTable(_ title: String, _ rows: [JitterRow]) -> Table {
    var table = Table([
      .words(title), .number("noise"), .number("speed /s"), .number("jerk /s^3"),
      .number("HF"), .number("best averaging s"), .number("SPARC"), .number("LDLJ"),
    ])
    for row in rows where row.frames > 0 {
      let best = row.spectral?.bestAveraging.text(2) ?? "n/a"
      table.row([
        StyledText(row.signal.name), row.cell(row.noise, row.isFine ? 4 : 2),
        row.cell(row.rmsSpeed, row.isFine ? 3 : 1), row.cell(row.jerk, 0),
        StyledText(row.spectral?.highFrequencyRatio.percentText ?? "n/a"),
        StyledText(row.spectral?.isStillFalling == true ? ">= " + best : best),
        StyledText(row.spectralArcLength?.text(2) ?? "n/a"),
        StyledText(row.logDimensionlessJerk?.text(2) ?? "n/a"),
      ])
    }
    return table
  }
}

extension JitterRow {
  var isFine: Bool { signal.unit == "-" || signal.unit == "body heights" }

  func cell(_ value: MetricValue, _ decimals: Int) -> StyledText {
    let factor = signal.unit == "m" ? 100.0 : 1
    return StyledText(value.number.map { NumberText.grouped($0 * factor, decimals) } ?? "n/a")
  }
}

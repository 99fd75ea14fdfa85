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
    Table(bones.filter { $0.frames > 0 }) { row, bone in
      row.words("bone in holds", bone.name)
      row.number("length", bone.length.text())
      row.number("variation", bone.variation.percentText)
      row.number("frames", NumberText.count(bone.frames))
    }
  }

  private static func table(_ title: String, _ rows: [JitterRow]) -> Table {
    Table(rows.filter { $0.frames > 0 }) { row, jitter in
      let unit = jitter.signal.unit
      let decimals = jitter.isFine ? 4 : 2
      row.words(title, jitter.signal.name)
      row.number("RMS step", jitter.cell(jitter.rmsStep, decimals))
      row.number("robust spread", jitter.cell(jitter.robustSpread, decimals))
      row.number("acceleration", jitter.cell(jitter.acceleration, jitter.isFine ? 2 : 0))
      row.number("lag-1", jitter.lagOneCorrelation.text(2))
      row.words("unit", unit == "m" ? "cm, cm/s^2" : "\(unit), \(jitter.accelerationUnit)", .dim)
      row.number("pairs", NumberText.count(jitter.pairs))
      row.number("holds", NumberText.count(jitter.holds))
    }
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
    Table(rows.filter { $0.frames > 0 }) { row, jitter in
      let best = jitter.spectral?.bestAveraging.text(2) ?? "n/a"
      row.words(title, jitter.signal.name)
      row.number("noise", jitter.cell(jitter.noise, jitter.isFine ? 4 : 2))
      row.number("speed /s", jitter.cell(jitter.rmsSpeed, jitter.isFine ? 3 : 1))
      row.number("jerk /s^3", jitter.cell(jitter.jerk, 0))
      row.number("HF", jitter.spectral?.highFrequencyRatio.percentText ?? "n/a")
      row.number("best averaging s", jitter.spectral?.isStillFalling == true ? ">= " + best : best)
      row.number("SPARC", jitter.spectralArcLength?.text(2) ?? "n/a")
      row.number("LDLJ", jitter.logDimensionlessJerk?.text(2) ?? "n/a")
    }
  }
}

extension JitterRow {
  var isFine: Bool { signal.unit == "-" || signal.unit == "body heights" }

  func cell(_ value: MetricValue, _ decimals: Int) -> StyledText {
    let factor = signal.unit == "m" ? 100.0 : 1
    return StyledText(value.number.map { NumberText.grouped($0 * factor, decimals) } ?? "n/a")
  }
}

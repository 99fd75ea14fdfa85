package import Evaluation

extension JitterStatistics {
  /// The jitter of measurements for people, spectra and averaging times included.
  package var details: Document {
    var document = Document()
    document.heading("Jitter on holds")
    document.table(table)
    document.table(Self.spectralTable("signal on holds", rows))
    document.paragraph(
      """
      Noise is what white noise would have to be to step so; lag-1 is the correlation of neighbors \
      about each hold's mean: near 1, no causal smoother helps. Best averaging is where the Allan \
      deviation is least: a longer time constant adds lag and no calm. HF is the share of power \
      from 3 Hz on.
      """)
    document.table(boneTable)
    document.heading("Outside holds")
    document.table(movementTable)
    document.table(Self.spectralTable("signal outside holds", movementRows))
    document.paragraph(
      """
      SPARC and LDLJ describe how smooth a movement is, nearer to 0 is smoother. They describe \
      noise where nothing moves and are never a gate.
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

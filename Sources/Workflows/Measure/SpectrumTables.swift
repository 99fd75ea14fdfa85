internal import Evaluation
internal import PoseModel
internal import Statistics

/// Spectra and Allan deviations of one sequence's measurements on holds, as CSV.
///
/// A column a measurement, its unit in the header; a row a frequency or an averaging time. Where
/// no hold is long enough there is no table.
struct SpectrumTables {
  private let rows: [JitterRow]

  /// Takes the measurements of a sequence's jitter.
  init(_ jitter: JitterStatistics) {
    rows = jitter.rows.filter { $0.signal.kind == .measurement && $0.frames > 0 }
  }

  /// Power spectral densities in squared units a hertz.
  var spectrum: [UInt8]? {
    let found = rows.compactMap { row in row.spectral?.spectra.first.map { (row, $0) } }
    guard let first = found.first?.1 else { return nil }
    let columns = found.filter { $0.1.hasFrequencies(of: first) }
    let header = ["frequency_hz"] + columns.map { "\($0.0.signal.name)_(\($0.0.signal.unit))^2/hz" }
    return text(
      header, first.frequencies,
      columns.map { column in column.1.densities.map(Optional.some) })
  }

  /// Allan deviations by averaging time.
  var allan: [UInt8]? {
    let found = rows.compactMap { row in
      row.spectral.flatMap { $0.allan.isEmpty ? nil : (row, $0.allan) }
    }
    guard let longest = found.map(\.1).max(by: { $0.count < $1.count }) else { return nil }
    let header = ["averaging_s"] + found.map { "\($0.0.signal.name)_\($0.0.signal.unit)" }
    return text(
      header, longest.map(\.seconds),
      found.map { column in
        longest.indices.map { $0 < column.1.count ? column.1[$0].deviation : nil }
      })
  }

  private func text(
    _ header: [String], _ first: [Double], _ columns: [[Double?]]
  ) -> [UInt8] {
    var text = header.joined(separator: ",") + "\n"
    for (row, value) in first.enumerated() {
      let fields = columns.map { column in column[row].map { "\(Float($0))" } ?? "" }
      text += (["\(Float(value))"] + fields).joined(separator: ",") + "\n"
    }
    return Array(text.utf8)
  }
}

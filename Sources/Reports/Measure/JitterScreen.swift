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
}

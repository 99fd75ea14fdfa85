/// Matrices, the stretches behind their cells, and the viewer, side by side.
struct Workbench: Hashable, Sendable {
  /// The heading.
  let title: String
  /// What is shown, in a sentence; empty for none.
  var note = ""
  /// Whether the matrices have cells to choose.
  var hasCells = true
  /// Whether the page holds recordings that the viewer shows.
  let hasViewer: Bool
  /// The matrices, one above the other.
  let matrices: [HTML]
  /// What stands in the place of the stretches without a script.
  let stretches: HTML
  /// What stands below.
  var below: HTML = .empty

  /// The panel.
  var html: HTML {
    let choose = !hasCells ? "" : "Choose a cell for its stretches, a stretch for its frames. "
    let hint: HTML =
      hasViewer
      ? """
      <p class="note hint">\(choose)<kbd>[</kbd> <kbd>]</kbd> go through the errors, \
      <kbd>?</kbd> lists all keys.</p>

      """
      : .empty
    let cells: HTML =
      matrices.isEmpty ? .empty : "<div class=\"matrices\">\n\(matrices)</div>\n"
    let said: HTML = note.isEmpty ? .empty : "<p class=\"note\">\(prose: note)</p>\n"
    return """
      <section class="panel workbench"><h2>\(title)</h2>
      \(said)\(hint)<div class="desk\(hasViewer ? " viewer" : "")\(matrices.isEmpty ? " plain" : "")">
      \(cells)<section class="stretches" aria-label="Stretches">\(stretches)</section>
      </div>
      \(below)</section>

      """
  }
}

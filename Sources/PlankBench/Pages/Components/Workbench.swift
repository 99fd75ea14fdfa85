struct Workbench: Hashable, Sendable {
  let title: String
  var note = ""
  var hasCells = true
  let hasViewer: Bool
  let matrices: [HTML]
  let stretches: HTML
  var below: HTML = .empty

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

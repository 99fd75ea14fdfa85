struct Fold: Hashable, Sendable {
  let title: String
  var note = ""
  let body: HTML

  var html: HTML {
    guard !body.isEmpty else { return .empty }
    return """
      <details class="panel fold"><summary>\(title) <span>\(note)</span></summary>
      \(body)</details>

      """
  }

  static func document(_ title: String, _ note: String = "", _ document: Document) -> HTML {
    Fold(title: title, note: note, body: HTML(markup: HTMLRenderer().body(document))).html
  }
}

/// A part of a page that is closed until it is asked for.
struct Fold: Hashable, Sendable {
  /// What is inside.
  let title: String
  /// More about what is inside.
  var note = ""
  /// The content.
  let body: HTML

  /// The fold; nothing if there is nothing inside.
  var html: HTML {
    guard !body.isEmpty else { return .empty }
    return """
      <details class="panel fold"><summary>\(title) <span>\(note)</span></summary>
      \(body)</details>

      """
  }

  /// A document inside a fold.
  static func document(_ title: String, _ note: String = "", _ document: Document) -> HTML {
    Fold(title: title, note: note, body: HTML(markup: HTMLRenderer().body(document))).html
  }
}

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

  /// The parts of a document, each in a fold; what stands before the first heading of level 2 is
  /// left out.
  static func parts(of document: Document) -> HTML {
    var parts: [(title: String, blocks: [Document.Block])] = []
    for block in document.blocks {
      if case .heading(let title, level: 2) = block {
        parts.append((title: title, blocks: []))
      } else if !parts.isEmpty {
        parts[parts.count - 1].blocks.append(block)
      }
    }
    let folds = parts.map { Self.document($0.title, "", Document($0.blocks)) }
    return HTML(markup: folds.map(\.text).joined())
  }
}

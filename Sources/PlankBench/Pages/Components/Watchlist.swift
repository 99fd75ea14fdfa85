/// What to watch for, beside a picture: short rows under headings.
struct Watchlist: Hashable, Sendable {
  /// Rows about one thing.
  struct Group: Hashable, Sendable {
    /// What they are about.
    let title: String
    /// The rows.
    var rows: [Row] = []
    /// A sentence below them; empty for none.
    var note = ""
  }

  /// A row.
  struct Row: Hashable, Sendable {
    /// What it is about; parts between backquotes are code.
    let name: String
    /// What stands in the middle; empty for nothing.
    var detail = ""
    /// The number, as it is read.
    let text: String
    /// Whether it is bad.
    var isBad = false
  }

  /// The groups; those without rows and sentence are left out.
  let groups: [Group]

  /// The lists.
  var html: HTML {
    let shown: [HTML] = groups.filter { !$0.rows.isEmpty || !$0.note.isEmpty }.map { group in
      let rows: [HTML] = group.rows.map { row in
        """
        <li><span>\(prose: row.name)</span><span class="dim">\(row.detail)</span>\
        <span class="n\(row.isBad ? " bad" : "")">\(row.text)</span></li>

        """
      }
      let list: HTML = rows.isEmpty ? .empty : "<ul>\n\(rows)</ul>\n"
      let note: HTML =
        group.note.isEmpty ? .empty : "<p class=\"note\">\(prose: group.note)</p>\n"
      return "<h3>\(group.title)</h3>\n\(list)\(note)"
    }
    return shown.isEmpty ? .empty : "<div class=\"watch\">\n\(shown)</div>\n"
  }
}

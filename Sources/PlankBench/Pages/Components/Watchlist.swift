struct Watchlist: Hashable, Sendable {
  struct Group: Hashable, Sendable {
    let title: String
    var rows: [Row] = []
    var note = ""
  }

  struct Row: Hashable, Sendable {
    let name: String
    var detail = ""
    let text: String
    var isBad = false
  }

  let groups: [Group]

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

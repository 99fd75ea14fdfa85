package import PoseDatasets

extension TableMap {
  package static var list: Document {
    var document = Document()
    var table = Table([.words("map"), .words("reads")])
    for (name, map) in ready {
      table.row([StyledText(name, .strong), StyledText(map.about ?? "")])
    }
    document.table(table)
    return document
  }
}

package import PoseDatasets

extension TableMap {
  package static var list: Document {
    var document = Document()
    document.table(ready) { row, element in
      let (name, map) = element
      row.words("map", name, .strong)
      row.words("reads", map.about ?? "")
    }
    return document
  }
}

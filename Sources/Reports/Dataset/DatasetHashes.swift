package import Evaluation

extension DatasetIdentity {
  package var hashes: [(part: String, hash: String)] {
    [("hash", hash), ("poses", posesHash), ("labels", labelsHash), ("manifest", manifestHash)]
  }

  package var hashDocument: Document {
    var table = Table([.words("part"), .words("sha-256")])
    for (name, hash) in hashes { table.row([StyledText(name, .strong), StyledText(hash)]) }
    var document = Document()
    document.table(table)
    return document
  }
}

internal import Evaluation
internal import PoseDatasets

struct ProvenancePanel: Hashable, Sendable {
  let origin: ResultOrigin
  let line: String?

  var html: HTML {
    var facts: [(name: String, value: String)] = [("program", origin.program)]
    if let dataset = origin.dataset {
      facts += [
        ("dataset", dataset.name), ("dataset hash", dataset.hash),
        ("poses hash", dataset.posesHash), ("labels hash", dataset.labelsHash),
        ("manifest hash", dataset.manifestHash),
      ]
    }
    facts += origin.provenance.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let rows: [HTML] = facts.map { fact in
      "<div><dt>\(fact.name)</dt><dd title=\"\(fact.value)\">\(fact.value)</dd></div>\n"
    }
    return """
      <section class="panel provenance"><h2>Provenance</h2>
      \(line.map { CopyLine(lines: [$0]).html } ?? .empty)<dl>
      \(rows)</dl></section>

      """
  }
}

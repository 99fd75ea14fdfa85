/// The page that lists the labeling pages of a large dataset.
package struct LabelingIndex: Sendable {
  package struct Page: Sendable {
    private let number: Int
    /// Relative to the index.
    private let address: String
    fileprivate let recordings: Int
    fileprivate let labeled: Int
    private let first: String
    private let last: String

    package init(
      number: Int, address: String, recordings: Int, labeled: Int, first: String, last: String
    ) {
      self.number = number
      self.address = address
      self.recordings = recordings
      self.labeled = labeled
      self.first = first
      self.last = last
    }

    fileprivate var row: HTML {
      """
      <tr><td><a href="\(address)">page \(number)</a></td>\
      <td class="long">\(first)</td><td class="long">\(last)</td>\
      <td class="n">\(recordings)</td><td class="n">\(labeled)</td></tr>

      """
    }
  }

  private let dataset: String
  private let pages: [Page]

  package init(of pages: [Page], dataset: String) {
    self.pages = pages
    self.dataset = dataset
  }

  package var recordings: Int { pages.reduce(0) { $0 + $1.recordings } }

  package var labeled: Int { pages.reduce(0) { $0 + $1.labeled } }

  package var page: ResultPage {
    var page = ResultPage(title: dataset, command: "label")
    let rows = pages.map(\.row)
    page.append(
      ResultPage.Section(
        body: """
          <section class="panel">
          <h2>\(NumberText.count(recordings, "recording")), \(NumberText.count(labeled)) with labels</h2>
          <table>
          <thead>
          <tr><th>page</th><th>from</th><th>to</th><th class="n">recordings</th>\
          <th class="n">with labels</th></tr>
          </thead>
          <tbody>
          \(rows)</tbody>
          </table>
          </section>

          """))
    return page
  }
}

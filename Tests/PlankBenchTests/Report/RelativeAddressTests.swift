import Testing

@testable import PlankBench

@Suite("Addresses of files beside a page")
struct RelativeAddressTests {
  @Test(
    "A file is named from the page's folder, percent-encoded",
    arguments: [
      ("/d/videos/a.mp4", "/d/report.html", "./videos/a.mp4"),
      ("/d/videos/a.mp4", "/out/pages/report.html", "../../d/videos/a.mp4"),
      ("/d/a.mp4", "/d/a.mp4", "./a.mp4"),
      ("/d/./x/../a b#?&\"é.mp4", "/d/r.html", "./a%20b%23%3F%26%22%C3%A9.mp4"),
      ("/d/javascript:alert(1)", "/d/r.html", "./javascript%3Aalert%281%29"),
      ("/d/%41.mp4", "/d/r.html", "./%2541.mp4"),
    ])
  func addresses(file: String, page: String, address: String) throws {
    #expect(try RelativeAddress.text(of: file, from: page) == address)
  }
}

import Testing

@testable import PlankBench

@Suite("Interruptions")
struct InterruptionTests {
  private static let words = ["/usr/bin/planklab", "evaluate", "my data", "--html", "a.html"]

  @Test("A command that is stopped says what is left and how to run it again")
  func leftovers() {
    let again = "run again: planklab evaluate 'my data' --html a.html"
    #expect(Leftovers().stopMessage(Self.words) == "stopped; nothing was written; " + again)
    #expect(
      Leftovers(written: ["a.json", "b.svg"]).stopMessage(Self.words)
        == "stopped; wrote only a.json, b.svg; " + again)
    #expect(
      Leftovers(isPrinted: true).stopMessage(Self.words)
        == "stopped; the printed result may be incomplete; " + again)
    #expect(
      Leftovers(sentence: "the store is whole", written: ["a"]).stopMessage(Self.words)
        == "stopped; the store is whole")
  }

  @Test("What was written and what was printed are both said, and many files are counted")
  func writtenAndPrinted() {
    let again = "run again: planklab evaluate 'my data' --html a.html"
    func stopMessage(_ files: Int) -> String {
      Leftovers(written: (0..<files).map { "\($0)" }, isPrinted: true).stopMessage(Self.words)
    }
    let printed = "; the printed result may be incomplete; " + again
    #expect(stopMessage(8) == "stopped; wrote only 0, 1, 2, 3, 4, 5, 6, 7" + printed)
    #expect(stopMessage(9) == "stopped; 9 files were written" + printed)
  }

  @Test("A command of many files is not repeated")
  func manyFiles() {
    let words = ["planklab", "import"] + (0..<500).map { "table-\($0).csv" }
    #expect(
      Leftovers().stopMessage(words) == "stopped; nothing was written; run the same command again")
    #expect(
      Leftovers.again(words, with: "--resume", purpose: "to continue")
        == "to continue, run the same command with --resume")
  }
}

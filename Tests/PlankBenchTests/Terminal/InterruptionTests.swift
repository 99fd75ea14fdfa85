import Testing

@testable import PlankBench

@Suite("Interruptions")
struct InterruptionTests {
  private static let words = ["/usr/bin/planklab", "evaluate", "my data", "--html", "a.html"]

  @Test("A command that is stopped says what is left and how to run it again")
  func leftovers() {
    let again = "run again: planklab evaluate 'my data' --html a.html"
    #expect(Leftovers().farewell(Self.words) == "stopped; nothing was written; " + again)
    #expect(
      Leftovers(written: ["a.json", "b.svg"]).farewell(Self.words)
        == "stopped; nothing but a.json, b.svg was written; " + again)
    #expect(
      Leftovers(isPrinted: true).farewell(Self.words)
        == "stopped; the printed result may be incomplete; " + again)
    #expect(
      Leftovers(sentence: "the store is whole", written: ["a"]).farewell(Self.words)
        == "stopped; the store is whole")
  }

  @Test("A command of many files is not repeated")
  func manyFiles() {
    let files = (0..<500).map { "table-\($0).csv" }
    #expect(
      Leftovers().farewell(["planklab", "import"] + files)
        == "stopped; nothing was written; run the same command again")
  }

  @Test("The command that continues a stopped one is the same with one option more")
  func command() {
    let words = ["/usr/bin/planklab", "sweep", "my folder", "--shard", "1/2"]
    #expect(
      ShellWord.command(words, with: "--resume")
        == "planklab sweep 'my folder' --shard 1/2 --resume")
    #expect(
      ShellWord.command(words + ["--resume"], with: "--resume")
        == "planklab sweep 'my folder' --shard 1/2 --resume")
  }
}

import Testing

@testable import PlankBench

@Suite("Shell words")
struct ShellWordTests {
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

import Testing

@testable import PlankBench

@Suite("Progress and interruptions")
struct ProgressTests {
  @Test(
    "The time left is what the rest takes at the speed so far",
    arguments: [(0, 0), (1, 30), (2, 10), (3, 0)])
  func timeLeft(done: Int, left: Int) {
    let elapsed = Duration.seconds(done == 0 ? 5 : done * (done == 1 ? 15 : 10))
    let line = ProgressBar.line(done, of: 3, "cells", after: elapsed)
    #expect(line.hasSuffix(" \(done)/3 cells, \(left) s left"))
    #expect(line.count { $0 == "#" } == 10 * done)
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

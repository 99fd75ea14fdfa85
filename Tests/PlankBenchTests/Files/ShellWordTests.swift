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

  @Test(
    "A name that messages cannot show is written as a shell reads it back",
    arguments: [
      ("a\nb", #"$'a\x0ab'"#), ("\u{1B}[1mit's", #"$'\x1b\x5b1mit\x27s'"#),
      ("é\t", #"$'\xc3\xa9\x09'"#), ("it's", #"'it'\''s'"#), ("é", "'é'"),
    ])
  func unprintable(word: String, expected: String) {
    #expect(ShellWord.quoted(word) == expected)
    #expect(PrintableText.line(ShellWord.quoted(word)) == ShellWord.quoted(word))
  }
}

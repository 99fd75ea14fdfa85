internal import Evaluation
internal import PoseModel

/// A link to a moment in the viewer; a script shows it where the page holds the recording.
struct MomentLink: Hashable, Sendable {
  let sequence: String
  let time: Seconds
  var stream: AnswerStream?
  var text = "Show the moment"

  var html: HTML {
    let at = NumberText.fixed(time.value, 3)
    let part = stream.map { "&stream=\($0.rawValue)" } ?? ""
    return """
      <a class="button show" href="#seq=\(Self.encoded(sequence))&t=\(at)\(part)" hidden>\(text)</a>
      """
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      if byte < 0x80, character.isLetter || character.isNumber { return String(character) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }
}

import Evaluation
import PoseModel
import Testing

@Suite("Sequence scores")
struct SequenceScoresTests {
  @Test("Scored frames are counted by truth and answer, others are not")
  func confusion() {
    let scores = SequenceScores(Scenario("nnff.xhh", answers: "nfffhhhn").outcome)
    let matrix = scores.plank.confusion
    #expect(matrix[0, 0] == 1 && matrix[0, 1] == 1)
    #expect(matrix[1, 1] == 2)
    #expect(matrix[2, 2] == 1 && matrix[2, 0] == 1)
    #expect(matrix.total == 6)
  }

  @Test("Frames are counted as scored, ignored, unlabeled, missing, undetermined and held")
  func frameCounts() {
    var scenario = Scenario("nnff.xhh", answers: "nfffhhhn")
    scenario.plankDetermined = "dd=-d-dd"
    scenario.missing = 2
    let counts = SequenceScores(scenario.outcome).plank.frames
    #expect(counts.frames == 8)
    #expect(counts.scored == 6)
    #expect(counts.scoredDetermined == 4)
    #expect(counts.ignored == 1)
    #expect(counts.unlabeled == 1)
    #expect(counts.unjudged == 0)
    #expect(counts.missing == 2)
    #expect(counts.undetermined == 3)
    #expect(counts.held == 1)
  }

  @Test("Form is scored if the truth has a form, whatever plank was answered")
  func form() {
    var scenario = Scenario("nffffhx.", answers: "nfhffhnn")
    scenario.formTruth = ".as.pass"
    scenario.formAnswers = "aaasspas"
    let scores = SequenceScores(scenario.outcome)
    #expect(scores.form.confusion.rows == [[1, 0, 1], [1, 0, 0], [0, 1, 0]])
    #expect(scores.form.frames.unjudged == 2)
    #expect(scores.form.frames.ignored == 1)
    #expect(scores.form.frames.unlabeled == 1)
    // Without frame 2, whose plank answer is wrong.
    #expect(scores.formEndToEnd.confusion.rows == [[1, 0, 1], [0, 0, 0], [0, 1, 0]])
  }

  @Test("Each stream has its own determined frames")
  func determined() {
    var scenario = Scenario("ffff", answers: "ffhh")
    scenario.formTruth = "aaaa"
    scenario.plankDetermined = "d-d-"
    scenario.formDetermined = "---d"
    let scores = SequenceScores(scenario.outcome)
    #expect(scores.plank.determined.rows[1] == [0, 1, 1, 0, 0, 0])
    #expect(scores.form.determined.rows[0] == [1, 0, 0])
  }

  @Test(
    "Under half determined is no evidence; half is some; nothing scored is neither",
    arguments: [("ffff", "d---", true), ("ffff", "dd--", false), ("....", "----", false)])
  func noEvidence(truth: String, determined: String, expected: Bool) {
    var scenario = Scenario(truth)
    scenario.plankDetermined = determined
    #expect(SequenceScores(scenario.outcome).plank.frames.isNoEvidence == expected)
  }

  @Test("Undetermined frames that are not scored do not take evidence away")
  func unscoredDropouts() {
    var scenario = Scenario("ff......")
    scenario.plankDetermined = "dd------"
    #expect(!SequenceScores(scenario.outcome).plank.frames.isNoEvidence)
  }

  @Test("A sequence without frames has no counts")
  func empty() {
    var scenario = Scenario("")
    scenario.weight = 1.0 / 30
    let scores = SequenceScores(scenario.outcome)
    #expect(scores.plank.confusion.total == 0)
    #expect(scores.plank.frames == FrameCounts())
    #expect(scores.plank.stability == StabilityCounts())
  }

  @Test("A shift of all times changes nothing but rounding", arguments: UInt64(0)..<30)
  func timeShift(seed: UInt64) {
    let scenario = Scenario.random(seed: seed)
    var shifted = scenario
    shifted.times = scenario.times.map { $0 + 1024 }
    let one = SequenceScores(scenario.outcome)
    let other = SequenceScores(shifted.outcome)
    for (left, right) in [(one.plank, other.plank), (one.form, other.form)] {
      #expect(left.confusion == right.confusion)
      #expect(left.determined == right.determined)
      #expect(left.frames == right.frames)
      #expect(left.stability.falseTransitions == right.stability.falseTransitions)
      #expect(left.stability[.missedTransitions] == right.stability[.missedTransitions])
      #expect(left.stability.flickers == right.stability.flickers)
      #expect(abs(left.stability.evaluatedSeconds - right.stability.evaluatedSeconds) < 1e-9)
    }
  }
}

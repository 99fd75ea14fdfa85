import Testing

@testable import Statistics

@Suite("Sign-flip test")
struct SignFlipTestTests {
  private let stream = RandomStream(seed: 3, purpose: "sign flips")

  @Test(
    "Clusters that all agree give the least probability, 2 / 2^n",
    arguments: [(5, 0.0625), (6, 0.03125), (10, 0.001953125), (16, 1 / 32768.0)])
  func smallest(clusters: Int, least: Double) throws {
    let differences = (1...clusters).map(Double.init)
    let test = try #require(SignFlipTest(differences, stream: stream))
    #expect(test.smallestProbability == least)
    #expect(test.probability == least)
    #expect(SignFlipTest.leastProbability(clusters: clusters) == least)
    #expect(test.isExact)
  }

  @Test(
    "The fewest clusters that can exclude chance are the first whose least probability does",
    arguments: [(0.05, 6), (0.025, 7), (1 / 32.0, 6), (0.03, 7), (1, 1)])
  func fewest(risk: Double, clusters: Int) {
    #expect(SignFlipTest.fewestClusters(risk: risk) == clusters)
  }

  @Test("Above 16 clusters assignments are drawn, and the probability is never 0")
  func monteCarlo() throws {
    let differences = (1...17).map(Double.init)
    let test = try #require(SignFlipTest(differences, stream: stream))
    #expect(!test.isExact)
    #expect(test.smallestProbability == 1 / 10_001.0)
    #expect(test.probability >= test.smallestProbability)
    #expect(test.probability < 0.001)
  }

  @Test("Drawn assignments agree with all of them")
  func agreement() throws {
    let differences = [0.3, -0.1, 0.5, 0.2, -0.4, 0.1, 0.6, -0.2, 0.3, 0.1, 0.4, -0.3]
    let exact = try #require(SignFlipTest(differences, stream: stream))
    let zeros = Array(repeating: 0.0, count: 5)
    let drawn = try #require(SignFlipTest(differences + zeros, stream: stream))
    #expect(abs(exact.probability - drawn.probability) < 0.015)
  }

  @Test("No difference at all has probability 1")
  func noDifference() {
    #expect(SignFlipTest([0, 0, 0, 0], stream: stream)?.probability == 1)
  }

  @Test("One cluster, or an undefined difference, has no test")
  func undefined() {
    #expect(SignFlipTest([0.5], stream: stream) == nil)
    let partial = SignFlipTest(clusters: 3, stream: stream) { swaps in swaps[1] ? nil : 1 }
    #expect(partial == nil)
  }
}

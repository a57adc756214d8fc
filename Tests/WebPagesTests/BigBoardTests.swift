import GuardRules
import HTTPServing
import InstallationOperations
import Lifecycle
import PeopleOperations
import ShiftDomain
import ShiftTestKit
import Testing

#if DEBUG
  /// Whether this build is fast enough to check the promised times.
  let isOptimized = false
#else
  /// Whether this build is fast enough to check the promised times.
  let isOptimized = true
#endif

@Suite("The board of 500 employees") struct BigBoardTests {
  /// 500 on shift, each with an incident, a break or a gap: more to draw than on any real day.
  private static let demoEmployees: [DemoDay.DemoEmployee] = (Int64(1)...500).map { number in
    let start = number % 60
    let trouble = 120 + number % 90
    var steps: [DemoDay.DemoStep] = [.clocksIn(start), .sparselyWalks(start, trouble)]
    switch number % 10 {
    case 0: steps += [.says(trouble, .denied)]
    case 1...4: steps += [.pauses(trouble), .resumes(trouble + 30)]
    default: break
    }
    steps.append(.sparselyWalks(trouble + 31, 342))
    return DemoDay.DemoEmployee(
      number: Int32(number), name: "Vesna Županić \(number)", team: Int(number % 3),
      steps: steps)
  }

  private static func planAll(_ day: DemoDay) async throws {
    let span = Interval(from: DemoDay.six + .hours(1), to: DemoDay.six + .hours(7))
    for demo in demoEmployees {
      _ = try await day.operations.people.planShift(
        EmployeeID(demo.number), span, by: PageServer.principal
      ).get()
    }
  }

  /// All teams on one map, opened as from the board.
  private static func checkMap(of server: PageServer) async throws {
    let began = ContinuousClock.now
    let (answer, text) = try await server.post("/map", "purpose=x")
    let span = ContinuousClock.now - began
    #expect(answer.status == 200)
    #expect(text.matches(of: /<tr id=e\d+><th scope=row>/).count == 500)
    #expect(text.matches(of: /<circle class="(to|from)"/).count > 400)
    #expect(text.utf8.count <= 200_000)
    print("# the map of 500: \(text.utf8.count) bytes, \(span) (optimized: \(isOptimized))")
    let entries = try await server.day.operations.installation.auditEntries(
      about: nil, limit: 1_000)
    #expect(entries.count { $0.action == .mapViewed } == 500)
  }

  @Test("is small, and fast in an optimized build")
  func size() async throws {
    try await DemoDay.run(Self.demoEmployees) { day in
      // As the service does every few seconds.
      while try await day.operations.background.rollUpPings().rolledUp > 0 {}
      let server = PageServer(day)
      let (_, text) = try await server.get("/")
      #expect(text.contains("<b>500</b> All"))
      #expect(text.utf8.count <= 120_000)
      var times: [Duration] = []
      for _ in 0..<20 {
        let began = ContinuousClock.now
        _ = try await server.get("/")
        times.append(ContinuousClock.now - began)
      }
      let median = times.sorted()[10]
      try await Self.planAll(day)
      let planned = try await server.get("/").1
      #expect(planned.contains("<rect x=12.5% width=75% class=d />"))
      print("# with a planned shift each: \(planned.utf8.count) bytes")
      #expect(planned.utf8.count <= 135_000)
      print("# the board of 500: \(text.utf8.count) bytes, \(median) (optimized: \(isOptimized))")
      if isOptimized { #expect(median <= .milliseconds(60)) }
      try await Self.checkMap(of: server)
      try await server.serve { address in
        let faults = try await Browser.run("paint", address, isOptimized ? "500" : "100000")
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
    }
  }
}

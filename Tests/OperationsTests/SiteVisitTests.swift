import DeviceOperations
import GuardRules
import InsightOperations
import ManagerCore
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Visits to sites, in a shift") struct SiteVisitTests {
  private static let shift = ShiftID(employee: EmployeeID(7), number: 1)

  /// A fix that many kilometers north of the depot.
  private static func fix(_ minute: Int64, _ kilometers: Double = 0) -> IncomingPing {
    IncomingPing(
      recordedAt: morning + .minutes(minute),
      fix: Coordinate(latitude: 45.3 + kilometers / 111.32, longitude: 13.7).map {
        Fix(coordinate: $0, accuracyMeters: 10)
      })
  }

  /// At the depot from minute 10 to 30, and from 50 on.
  private static let fixes =
    [fix(5, 3)] + [10, 20, 30].map { fix($0) } + [fix(40, 3)] + [50, 55].map { fix($0) }

  /// An hour with these fixes, up to before its end.
  private func work(_ world: OperationsWorld) async throws -> Phone {
    _ = try await world.operations.people.addDepot(by: world.principal).get()
    let phone = try await Phone.enrolled(in: world)
    try await phone.beginShift()
    world.wait(.minutes(60))
    _ = try await phone.ping(Self.fixes, sentAt: world.now)
    return phone
  }

  /// `10–30.`: arrival and last seen in minutes, with a full stop if the phone has left.
  private func shown(_ world: OperationsWorld, to principal: Principal? = nil) async throws
    -> [String]
  {
    let manager = world.operations.manager
    let row = try await manager.insight.shift(Self.shift)
    return try await manager.insight.siteVisits(of: row, for: principal ?? world.principal).map {
      visit in
      let minutes = [visit.arrivedAt, visit.lastSeenAt].map {
        String(($0 - morning).milliseconds / 60_000)
      }
      return minutes.joined(separator: "–") + (visit.hasLeft ? "." : "")
    }
  }

  // R: W11
  @Test("are stored when the shift has ended, and shown to those who may see tracks")
  func life() async throws {
    try await withWorld { world in
      let phone = try await work(world)
      _ = try await world.operations.background.rollUpPings()
      #expect(try await world.count("SELECT count(*) FROM site_visit") == 0)
      #expect(try await shown(world) == [])
      _ = try await phone.clockOut("out")
      _ = try await world.operations.background.rollUpPings()
      #expect(try await world.count("SELECT count(*) FROM site_visit") == 2)
      #expect(try await shown(world) == ["10–30.", "50–55"])
      for (rights, count) in [(TeamRights.coverage, 0), (.all, 2)] {
        let mate = Principal(
          actor: AuditActor(name: "Mate"), role: .manager, teams: [TeamID(1): rights])
        #expect(try await shown(world, to: mate).count == count)
        let lines = try await world.timeSheet().lines
        let found = try await world.operations.insight.siteVisits(of: lines, for: mate)
        #expect(found.values.map(\.count) == (count == 0 ? [] : [count]))
      }
      // Another team's sites are none of theirs, and a removed one stays in earlier shifts.
      try await world.operations.people.removeSite(1, from: TeamID(1), by: world.principal)
      #expect(try await shown(world) == ["10–30.", "50–55"])
    }
  }

  @Test("are found again when fixes come late, and not from mocked ones")
  func late() async throws {
    try await withWorld { world in
      let phone = try await work(world)
      _ = try await phone.clockOut("out")
      _ = try await world.operations.background.rollUpPings()
      world.wait(.minutes(5))
      var mocked = Self.fix(2)
      mocked.isMock = true
      _ = try await phone.ping([mocked, Self.fix(8), Self.fix(57, 3)], sentAt: world.now)
      _ = try await world.operations.background.rollUpPings()
      #expect(try await shown(world) == ["8–30.", "50–55."])
    }
  }

  @Test("are found again with the sites that are left, also if none is")
  func noSiteLeft() async throws {
    try await withWorld { world in
      let phone = try await work(world)
      _ = try await phone.clockOut("out")
      _ = try await world.operations.background.rollUpPings()
      try await world.operations.people.removeSite(1, from: TeamID(1), by: world.principal)
      _ = try await world.operations.background.rollUpPings()
      // As long as nothing changes the shift, its visits stay.
      #expect(try await shown(world) == ["10–30.", "50–55"])
      world.wait(.minutes(5))
      _ = try await phone.ping([Self.fix(57, 3)], sentAt: world.now)
      _ = try await world.operations.background.rollUpPings()
      #expect(try await shown(world) == [])
      #expect(try await world.count("SELECT count(*) FROM site_visit") == 0)
    }
  }

  // R: W10, W15
  @Test("outside a corrected shift are gone at once, and back when that is undone")
  func corrected() async throws {
    try await withWorld { world in
      let phone = try await work(world)
      _ = try await phone.clockOut("out")
      _ = try await world.operations.background.rollUpPings()
      try await world.corrected(1, morning + .minutes(15), morning + .minutes(45))
      // The first is cut: it comes back with the next rollup.
      #expect(try await shown(world) == [])
      _ = try await world.operations.background.rollUpPings()
      #expect(try await shown(world) == ["20–30."])
      _ = try await world.operations.reviews.undo(
        correction: 1, of: Self.shift, reason: "mistake", by: world.principal
      ).get()
      _ = try await world.operations.background.rollUpPings()
      #expect(try await shown(world) == ["10–30.", "50–55"])
    }
  }

  // R: W8
  @Test("last as long as the phone stands still or rests there")
  func standing() async throws {
    try await withWorld { world in
      _ = try await world.operations.people.addDepot(by: world.principal).get()
      let phone = try await Phone.enrolled(in: world)
      try await phone.beginShift()
      world.wait(.minutes(60))
      let still = [20, 30, 40].map { minute in
        IncomingPing(recordedAt: morning + .minutes(minute), fix: nil, isStationary: true)
      }
      var resting = Self.fix(52)
      resting.rest = IncomingPing.Rest(until: morning + .minutes(56))
      _ = try await phone.ping(
        [Self.fix(2), Self.fix(10)] + still + [Self.fix(50, 3), resting], sentAt: world.now)
      _ = try await phone.clockOut("out")
      _ = try await world.operations.background.rollUpPings()
      #expect(try await shown(world) == ["2–40.", "52–56"])
    }
  }

  // R: W5
  @Test("end with a break, also for a phone at rest")
  func restBeforeBreak() async throws {
    try await withWorld { world in
      _ = try await world.operations.people.addDepot(by: world.principal).get()
      let phone = try await Phone.enrolled(in: world)
      try await phone.beginShift()
      world.wait(.minutes(10))
      var resting = Self.fix(9)
      resting.rest = IncomingPing.Rest(until: morning + .minutes(30))
      _ = try await phone.ping([resting], sentAt: world.now)
      _ = try await phone.startBreak("break")
      world.wait(.minutes(10))
      _ = try await phone.clockOut("out")
      _ = try await world.operations.background.rollUpPings()
      #expect(try await shown(world) == ["9–10"])
    }
  }

  @Test("are found from the fixes of clock-in and clock-out too, and not from coarse ones")
  func actions() async throws {
    try await withWorld { world in
      _ = try await world.operations.people.addDepot(by: world.principal).get()
      let phone = try await Phone.enrolled(in: world)
      try await phone.report(.always)
      _ = try await phone.clockIn("in") { $0.fix = Self.fix(0) }
      world.wait(.minutes(30))
      _ = try await phone.ping([Self.fix(10, 3), Self.fix(20)], sentAt: world.now)
      let coarse = morning + .minutes(20)
      try await world.write([
        "UPDATE ping SET flags = flags | 1024::smallint WHERE recorded_at = \(coarse)"
      ])
      _ = try await phone.clockOut("out") { $0.fix = Self.fix(30) }
      _ = try await world.operations.background.rollUpShiftsInDoubt()
      _ = try await world.operations.background.rollUpPings()
      #expect(try await shown(world) == ["0–0.", "30–30"])
    }
  }

  // R: W15
  @Test("outside the shift's times are not shown, whichever program corrected them")
  func correctedByVersionBefore() async throws {
    try await withWorld { world in
      let phone = try await work(world)
      _ = try await phone.clockOut("out")
      _ = try await world.operations.background.rollUpPings()
      let lines = try await world.timeSheet().lines
      func ofSheet() async throws -> Int {
        try await world.operations.insight.siteVisits(of: lines, for: world.principal)
          .values.reduce(0) { $0 + $1.count }
      }
      #expect(try await ofSheet() == 2)
      try await world.write([
        "UPDATE shift SET ended_at = \(morning + .minutes(52)) WHERE employee_id = 7"
      ])
      #expect(try await shown(world) == ["10–30."])
      #expect(try await ofSheet() == 1)
      try await world.write([
        "UPDATE shift SET started_at = \(morning + .minutes(15)) WHERE employee_id = 7"
      ])
      #expect(try await shown(world) == [])
      #expect(try await ofSheet() == 0)
    }
  }

  // R: W5
  @Test("go on over a break, whose fixes are not kept")
  func breaks() async throws {
    try await withWorld { world in
      _ = try await world.operations.people.addDepot(by: world.principal).get()
      let phone = try await Phone.enrolled(in: world)
      try await phone.beginShift()
      world.wait(.minutes(10))
      _ = try await phone.ping([Self.fix(9)], sentAt: world.now)
      _ = try await phone.startBreak("break")
      world.wait(.minutes(10))
      _ = try await phone.ping([Self.fix(15, 9)], sentAt: world.now)
      _ = try await phone.endBreak("back")
      world.wait(.minutes(10))
      _ = try await phone.ping([Self.fix(25)], sentAt: world.now)
      _ = try await phone.clockOut("out")
      _ = try await world.operations.background.rollUpPings()
      #expect(try await shown(world) == ["9–25"])
    }
  }

  // R: W11
  @Test("are deleted with the fixes, and not found again without them")
  func retention() async throws {
    try await withWorld { world in
      _ = try await world.operations.background.maintainPings()
      let phone = try await work(world)
      _ = try await phone.clockOut("out")
      _ = try await world.operations.background.rollUpPings()
      world.wait(.hours(24 * 60 + 1))
      #expect(try await world.operations.background.maintainPings().visitsDeleted == 2)
      // Their week is not over for all fixes.
      #expect(try await world.count("SELECT count(*) FROM ping") == 7)
      #expect(try await shown(world) == [])
      try await world.corrected(1, morning + .minutes(5), nil)
      _ = try await world.operations.background.rollUpPings()
      _ = try await world.operations.background.computeMissingDurations()
      #expect(try await shown(world) == [])
    }
  }
}

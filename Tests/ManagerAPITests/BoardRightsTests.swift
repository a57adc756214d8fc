import HTTPServing
import InstallationOperations
import ManagerAPI
import Postgres
import ReadModels
import ShiftDomain
import TestKit
import Testing

// R: M6
@Suite("An open board ends when its access ends") struct BoardRightsTests {
  /// What ends or changes Ada's access to team 1.
  enum Ending: CaseIterable {
    case loggedOut, unused, disabled, anotherPassword, anotherTeam, oneTeamMore, administrator

    func happen(to account: AccountID, in session: SessionID, _ all: TwoTeamsWorld) async throws {
      let (operations, boss) = (all.operations, all.boss)
      switch self {
      case .loggedOut:
        try await operations.installation.endSession(session, of: account, isLogOut: true, by: boss)
      case .unused: all.wait(SessionLife.idleMax)
      case .disabled:
        _ = try await operations.installation.setAccount(account, isDisabled: true, by: boss)
      case .anotherPassword:
        let password = Password("rain on a long walk")
        _ = try await operations.installation.resetPassword(of: account, to: password, by: boss)
      case .anotherTeam: try await all.change(account, to: .manager, [TeamID(2): .coverage])
      case .oneTeamMore:
        try await all.change(account, to: .manager, [TeamID(1): .all, TeamID(2): .all])
      case .administrator: try await all.change(account, to: .administrator, [:])
      }
    }
  }

  @Test("within a second, without affecting other boards", arguments: Ending.allCases)
  func ends(_ ending: Ending) async throws {
    try await TwoTeamsWorld.run { all in
      let (boards, router) = Self.boards(all)
      let account = try await all.hire("Ada", teams: [1: .coverage])
      let page = try await all.page(of: "Ada")
      let session = try #require(
        try await all.operations.installation.sessions(of: account).first?.session)
      let token = try await all.operations.installation.createAPIToken(
        name: "wall", role: .manager, teams: [TeamID(1): .coverage], validFor: .hours(24))
      try await running([boards]) {
        let board = try await Self.open(page, router)
        let wall = try await Self.open(["Authorization": "Bearer \(token.token)"], router)
        // The right to see tracks does not affect the board: it stays open.
        try await all.change(account, to: .manager, [TeamID(1): .all])
        for _ in 0..<2 {
          try await Self.somethingChanges(in: all)
          #expect(try await board.next() == Self.changed)
          #expect(try await wall.next() == Self.changed)
        }
        try await ending.happen(to: account, in: session, all)
        #expect(try await board.next() == nil)
        try await Self.somethingChanges(in: all)
        #expect(try await wall.next() == Self.changed)
        try await all.operations.installation.revokeAPIToken(token.number)
        #expect(try await wall.next() == nil)
      }
    }
  }

  private static let changed = "event: changed\ndata: {\"employees\":[7]}\n\n"

  private static func boards(_ all: TwoTeamsWorld) -> (BoardStreams, Router) {
    var pace = BoardStreams.Pace()
    (pace.poll, pace.recheck) = (.milliseconds(20), .milliseconds(20))
    // On a slow machine, a heartbeat must not be mistaken for a change.
    pace.heartbeat = .seconds(3_600)
    let boards = BoardStreams(operations: all.operations.manager, pace: pace, monitor: .unread)
    let routes = managerRoutes(all.operations.manager, now: all.clock.reading, boards: boards)
    return (boards, Router(routes.map(\.route)))
  }

  /// An open board that has received its first `resync`.
  private static func open(_ headers: HTTPHeaders, _ router: Router) async throws -> OpenBoard {
    let response = await router.respond(
      to: try HTTPRequest(.get, "/v1/board/events", headers: headers))
    guard case .stream(let stream) = response.body else {
      throw Refused(status: response.status)
    }
    let board = OpenBoard(stream)
    _ = try await board.next()
    #expect(try await board.next() == "event: resync\ndata: {}\n\n")
    return board
  }

  private struct Refused: Error { let status: Int }

  private static func somethingChanges(in all: TwoTeamsWorld) async throws {
    try await all.write("UPDATE guard_state SET version = version + 1")
  }
}

extension TwoTeamsWorld {
  fileprivate func change(
    _ account: AccountID, to role: AccessRole, _ teams: [TeamID: TeamRights]
  ) async throws {
    let input = AccountSettings(name: "Ada", role: role, teams: teams, employee: nil)
    _ = try await operations.installation.changeAccount(account, by: boss) { _ in input }
  }
}

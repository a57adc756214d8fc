import Postgres
import ShiftDomain

/// The rights for a team. Raw values are stored; append-only.
package struct TeamRights: OptionSet, Hashable, Sendable {
  /// One bit per right, as stored.
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// States, reasons and times of the team's shifts; no positions.
  package static let coverage = TeamRights(rawValue: 1 << 0)
  /// Positions of its employees in their shifts, for a stated purpose, recorded in the audit log.
  package static let track = TeamRights(rawValue: 1 << 1)
  package static let all: TeamRights = [.coverage, .track]

  private static let words: [(String, TeamRights)] = [("coverage", .coverage), ("track", .track)]

  package var codes: [String] { Self.words.filter { contains($0.1) }.map(\.0) }

  package init?(code: String) {
    guard let known = Self.words.first(where: { $0.0 == code }) else { return nil }
    self = known.1
  }
}

extension [TeamID: TeamRights] {
  var columns: (teams: [Int32], rights: [Int16]) {
    let teams = keys.sorted { $0.rawValue < $1.rawValue }
    return (teams.map(\.rawValue), teams.map { Int16(self[$0]?.rawValue ?? 0) })
  }

  /// The rights from two array columns, teams and rights; NULL means none.
  init(from row: inout RowReader) throws(PostgresError) {
    let (teams, rights): ([Int32]?, [Int16]?) = (try row.next(), try row.next())
    let pairs = zip(teams ?? [], rights ?? [])
    self.init(
      pairs.map { (TeamID($0), TeamRights(rawValue: UInt8(truncatingIfNeeded: $1))) },
      uniquingKeysWith: { $1 })
  }
}

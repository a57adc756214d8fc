import Postgres
import ShiftDomain
import ShiftStore

struct PingWriter: Sendable {
  typealias Outcome = Result<PingReceipt, IngestError>

  let pool: Pool
  let probing: Pool
  private let known = KnownWorkplaces()
  let away = DatabaseAway()

  private static let triesMax = 3

  init(pool: Pool, probing: Pool) { (self.pool, self.probing) = (pool, probing) }

  func knows(_ device: DeviceID, tokenHash: [UInt8]) -> Bool {
    known.has(device, tokenHash: tokenHash)
  }

  func forget(_ employee: EmployeeID) { known.forget([employee]) }

  /// Why pings cannot be written; `nil`: they can. After a failure it tries a write itself, because
  /// there may be no pings.
  func obstacle() async -> String? {
    guard away.isOn else { return nil }
    let obstacle = await tryWriting()
    if obstacle == nil { away.end() }
    return obstacle
  }

  /// Reads and writes what an upload does, and rolls back. So it fails also if one of these tables
  /// is locked.
  func tryWriting() async -> String? {
    do throws(PostgresError) {
      try await probing.transaction(.seconds(2)) { (session) throws(PostgresError) in
        // The facts about an employee who does not exist.
        _ = try workplaces(of: [EmployeeID(0)], since: Instant(milliseconds: 0), on: &session)
        try probeWriting(on: &session)
      }
      return nil
    } catch {
      return error.description
    }
  }

  /// Stores what can be stored of `uploads`, with a result for each. An upload that the database
  /// rejects fails alone, however many share its round, and so do those for a node that is away.
  func write(_ uploads: [DevicePings]) async -> [Outcome] {
    do throws(PostgresError) {
      let outcomes = try await commit(uploads)
      away.end()
      return outcomes
    } catch {
      if case .unavailable = error { away.begin() }
      guard uploads.count > 1, error.concernsSome else {
        return uploads.map { _ in .failure(.failed(error)) }
      }
      let half = uploads.count / 2
      return await write(Array(uploads[..<half])) + write(Array(uploads[half...]))
    }
  }

  private func commit(_ uploads: [DevicePings]) async throws(PostgresError) -> [Outcome] {
    // Made on the connection's thread; what an attempt stored is kept for the next.
    var round: PingRound?
    var tries = 0
    var wasUnknown = false
    while true {
      tries += 1
      do throws(PostgresError) {
        let written = try await pool.transaction {
          [round] (session) throws(PostgresError) -> PingRound in
          var round = round ?? PingRound(uploads)
          try round.learn(from: known, on: &session)
          try round.store(knownTo: known, on: &session)
          return round
        }
        if written.isComplete { return written.outcomes }
        round = written
        // If an employee keeps changing during the round, the phone is asked to retry.
        if tries == Self.triesMax { throw .retryTransaction(.serializationFailure) }
      } catch {
        wasUnknown = wasUnknown || error == .outcomeUnknown
        guard error.isWorthRepeating, tries < Self.triesMax else {
          // "Unavailable" would say that nothing was stored.
          if wasUnknown, case .unavailable = error { throw .outcomeUnknown }
          throw error
        }
      }
    }
  }
}

extension PostgresError {
  /// Whether a retry may succeed: also after a lost COMMIT answer, as a ping is stored only once.
  fileprivate var isWorthRepeating: Bool {
    switch self {
    case .retryTransaction, .outcomeUnknown: true
    default: false
    }
  }

  /// Whether a part of the uploads may be stored without the others.
  fileprivate var concernsSome: Bool {
    switch self {
    case .constraint, .unstorable, .broken, .nodeUnavailable: true
    default: false
    }
  }
}

import Lifecycle
import OperationCore
import Postgres
import ShiftDomain

/// Takes the uploads of reports. Each begins at once while few are being written; when many phones
/// report at the same moment, those that wait share a transaction.
struct ReportRounds: Sendable {
  private static let bounds = SharedRoundBounds(
    roundMax: 50, waitingMax: 20_000, writers: 4, anotherFrom: 1, linger: .zero)
  private let core: OperationCore
  private let admission: Admission
  private let rounds: SharedRounds<ReportRequest, SharedAnswer>

  /// What became of a request in a shared transaction.
  private enum SharedAnswer: Sendable {
    case committed(ReportRound.Answer)
    /// Nothing: it must be taken alone. With the failure of the transaction, if it failed.
    case alone(after: PostgresError?)
  }

  /// - Parameter sharedDeadline: For a shared transaction; what it does not do is done alone.
  init(core: OperationCore, admission: Admission, sharedDeadline: Duration) {
    self.core = core
    self.admission = admission
    rounds = SharedRounds(Self.bounds) { requests in
      let round = ReportRound(oneOfEachEmployee: requests, admission: admission)
      do throws(PostgresError) {
        let answers = try await core.attempt(within: sharedDeadline) {
          (session) throws(PostgresError) in
          try round.take(on: &session)
        }
        return requests.indices.map { index in
          answers[index].map { .committed($0) } ?? .alone(after: nil)
        }
      } catch {
        return requests.map { _ in .alone(after: error) }
      }
    }
  }

  var waiting: Int { rounds.waitingWeight }

  func take(_ request: ReportRequest) async throws(OperationError) -> ReportRound.Taken {
    switch await rounds.submit(request, weight: 1) {
    case nil: throw .unavailable(detail: "too many devices report at the same time")
    case .committed(let answer): return try answer.get()
    case .alone(let failure): return try await takeAlone(request, after: failure)
    }
  }

  private func takeAlone(_ request: ReportRequest, after failure: PostgresError?)
    async throws(OperationError) -> ReportRound.Taken
  {
    let round = ReportRound(oneOfEachEmployee: [request], admission: admission)
    let answers = try await core.transact(after: failure) { (session) throws(PostgresError) in
      try round.take(on: &session)
    }
    guard let answer = answers[0] else { preconditionFailure("a request alone was left out") }
    return try answer.get()
  }
}

import ManagerAPI
import ManagerCore
import ShiftDomain
import TestKit

/// A principal with access to every employee.
let everybody = Principal(actor: AuditActor(name: "Boss"), role: .administrator)

/// A principal with access to one team.
func manager(of team: TeamID) -> Principal {
  Principal(actor: AuditActor(name: "Mira"), role: .manager, teams: [team: .coverage])
}

/// An open board: the events it was sent.
final class OpenBoard: Sendable {
  private struct Late: Error {}
  private let reader: Reader

  private actor Reader {
    private var stream: AsyncStream<[UInt8]>.AsyncIterator
    init(_ stream: AsyncStream<[UInt8]>) { self.stream = stream.makeAsyncIterator() }
    func next() async -> String? {
      // Only one call uses the iterator at a time: the test requests one event after the other.
      var stream = self.stream
      defer { self.stream = stream }
      return await stream.next(isolation: self).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  init(_ stream: AsyncStream<[UInt8]>) { reader = Reader(stream) }

  /// The next bytes; `nil` when the stream has ended.
  func next() async throws -> String? {
    try await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask { await self.reader.next() }
      group.addTask {
        try await Task.sleep(for: TestDatabase.patience)
        throw Late()
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}

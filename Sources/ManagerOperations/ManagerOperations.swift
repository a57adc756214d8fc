import Lifecycle
import OperationCore
import Postgres
import ReadModels

/// The use cases of managers, administrators and operators. The board, time sheets, checks and the
/// pages of an employee and of a shift are each read in one snapshot.
package struct ManagerOperations: Sendable {
  package let core: OperationCore
  let passwords: PasswordWork
  let coverageCache: CoverageCache
  let dirtyShifts: DirtyShifts
  /// `nil`: this program serves no phones.
  let refusedRequests: RefusedRequests?
  /// Boards that are being read.
  let boards = SingleFlight<TeamScope, Board, OperationError>()
  let reviewCounts = SingleFlight<TeamScope, Int, OperationError>()
  package let heavyReads: HeavyReads

  package init(
    core: OperationCore, passwords: PasswordWork, coverageCache: CoverageCache,
    dirtyShifts: DirtyShifts, refusedRequests: RefusedRequests?, heavyReads: HeavyReads
  ) {
    self.core = core
    self.passwords = passwords
    self.coverageCache = coverageCache
    self.dirtyShifts = dirtyShifts
    self.refusedRequests = refusedRequests
    self.heavyReads = heavyReads
  }

  /// The same through other connections, whose board readings are shared among themselves.
  package func using(_ pool: Pool) -> ManagerOperations {
    ManagerOperations(
      core: core.using(pool), passwords: passwords, coverageCache: coverageCache,
      dirtyShifts: dirtyShifts, refusedRequests: refusedRequests, heavyReads: heavyReads)
  }

  /// The same on one connection, whose reads all see one snapshot.
  func inSnapshot() async throws(OperationError) -> ManagerOperations {
    do throws(PostgresError) {
      return using(try await heavyReads.pool.snapshot(for: HeavyReads.spanMax))
    } catch {
      throw OperationError(error)
    }
  }

  /// The same on the connections of heavy reads.
  var onHeavyConnections: ManagerOperations { using(heavyReads.pool) }
}

import OperationCore
import Postgres
import ReadModels

/// The use cases of managers, administrators and operators. Each method is one transaction, or one
/// read.
package struct ManagerOperations: Sendable {
  package let core: OperationCore
  let passwords: PasswordWork
  let coverageCache: CoverageCache
  let dirtyShifts: DirtyShifts
  /// `nil`: this program serves no phones.
  let refusedRequests: RefusedRequests?
  /// Boards that are being read.
  let boards = SharedReadings<TeamScope, Board>()
  let reviewCounts = SharedReadings<TeamScope, Int>()
  let exports = ExportCount()

  package init(
    core: OperationCore, passwords: PasswordWork, coverageCache: CoverageCache,
    dirtyShifts: DirtyShifts, refusedRequests: RefusedRequests?
  ) {
    self.core = core
    self.passwords = passwords
    self.coverageCache = coverageCache
    self.dirtyShifts = dirtyShifts
    self.refusedRequests = refusedRequests
  }

  /// The same through other connections, whose board readings are shared among themselves.
  package func using(_ pool: Pool) -> ManagerOperations {
    ManagerOperations(
      core: core.using(pool), passwords: passwords, coverageCache: coverageCache,
      dirtyShifts: dirtyShifts, refusedRequests: refusedRequests)
  }
}

import Lifecycle
import ManagerCore
import OperationCore
import Postgres
import ReadModels

/// Reads for managers: the board, coverage, statistics, lists and tracks. The board, checks and the
/// pages of an employee and of a shift are each read in one snapshot.
package struct InsightOperations: Sendable {
  package let core: OperationCore
  let heavyReads: HeavyReads
  let coverageCache: CoverageCache
  let dirtyShifts: DirtyShifts
  /// Boards that are being read.
  let boards = SingleFlight<TeamScope, Board, OperationError>()

  package init(
    core: OperationCore, heavyReads: HeavyReads, coverageCache: CoverageCache,
    dirtyShifts: DirtyShifts
  ) {
    self.core = core
    self.heavyReads = heavyReads
    self.coverageCache = coverageCache
    self.dirtyShifts = dirtyShifts
  }

  /// The same on one connection, whose reads all see one snapshot.
  package func inSnapshot() async throws(OperationError) -> InsightOperations {
    do throws(PostgresError) {
      let pool = try await heavyReads.pool.snapshot(for: HeavyReads.spanMax)
      return InsightOperations(
        core: core.using(pool), heavyReads: heavyReads, coverageCache: coverageCache,
        dirtyShifts: dirtyShifts)
    } catch {
      throw OperationError(error)
    }
  }
}

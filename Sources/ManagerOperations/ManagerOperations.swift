import InsightOperations
import InstallationOperations
import ManagerCore
import NotificationOperations
import OperationCore
import PeopleOperations
import PolicyOperations
import Postgres
import ReviewOperations

/// The use cases of managers, administrators and operators, by subject.
package struct ManagerOperations: Sendable {
  package let core: OperationCore
  package let heavyReads: HeavyReads
  package let people: PeopleOperations
  package let policies: PolicyOperations
  package let reviews: ReviewOperations
  package let insight: InsightOperations
  package let notifications: NotificationOperations
  package let installation: InstallationOperations
  private let passwords: PasswordWork
  private let coverageCache: CoverageCache
  private let dirtyShifts: DirtyShifts
  private let refusedRequests: RefusedRequests?

  /// - Parameter refusedRequests: `nil`: this program serves no phones.
  package init(
    core: OperationCore, passwords: PasswordWork, coverageCache: CoverageCache,
    dirtyShifts: DirtyShifts, refusedRequests: RefusedRequests?, heavyReads: HeavyReads
  ) {
    self.core = core
    self.heavyReads = heavyReads
    self.passwords = passwords
    self.coverageCache = coverageCache
    self.dirtyShifts = dirtyShifts
    self.refusedRequests = refusedRequests
    people = PeopleOperations(
      core: core, heavyReads: heavyReads, refusedRequests: refusedRequests)
    policies = PolicyOperations(
      core: core, heavyReads: heavyReads, refusedRequests: refusedRequests)
    insight = InsightOperations(
      core: core, heavyReads: heavyReads, coverageCache: coverageCache, dirtyShifts: dirtyShifts)
    reviews = ReviewOperations(core: core, insight: insight)
    notifications = NotificationOperations(core: core)
    installation = InstallationOperations(core: core, passwords: passwords)
  }

  /// The same through other connections, whose board readings are shared among themselves.
  package func using(_ pool: Pool) -> ManagerOperations {
    ManagerOperations(
      core: core.using(pool), passwords: passwords, coverageCache: coverageCache,
      dirtyShifts: dirtyShifts, refusedRequests: refusedRequests, heavyReads: heavyReads)
  }
}

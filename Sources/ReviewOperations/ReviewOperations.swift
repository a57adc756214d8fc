import InsightOperations
import Lifecycle
import ManagerCore
import OperationCore
import ReadModels

/// Use cases about the decisions of managers on clock actions and shifts, and about the times that
/// are paid.
package struct ReviewOperations: Sendable {
  let core: OperationCore
  /// Computes the coverage on time sheets.
  let insight: InsightOperations
  let reviewCounts = SingleFlight<TeamScope, Int, OperationError>()

  package init(core: OperationCore, insight: InsightOperations) {
    self.core = core
    self.insight = insight
  }
}

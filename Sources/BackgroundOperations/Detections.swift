import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

extension BackgroundOperations {
  /// Stores how long detections took. Each instance stores its own.
  /// What could not be written is kept.
  package func storeDetections() async throws(OperationError) {
    let samples = detectionSamples.take()
    guard !samples.isEmpty else { return }
    let statements = samples.sorted {
      ($0.employee.rawValue, $0.report.rawValue) < ($1.employee.rawValue, $1.report.rawValue)
    }.map { measured($0.report, of: $0.employee, elapsed: $0.elapsed) }
    do throws(OperationError) {
      _ = try await core.transact { (session) throws(PostgresError) in
        .done(try session.pipeline(statements))
      }
    } catch {
      detectionSamples.putBack(samples)
      throw error
    }
  }
}

internal import Lifecycle

/// Runs blocking work on its own thread, without blocking one of Swift's.
/// - Throws: what `work` throws, or `ServingError.cannotServe` when no thread is available.
func onOwnThread(
  _ work: @escaping @Sendable () throws(ServingError) -> Void
) async throws(ServingError) {
  let result = await withCheckedContinuation { continuation in
    let started = OwnThread.start {
      do throws(ServingError) {
        try work()
        continuation.resume(returning: Result<Void, ServingError>.success(()))
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    guard !started else { return }
    continuation.resume(returning: .failure(.cannotServe(detail: "no thread available")))
  }
  try result.get()
}

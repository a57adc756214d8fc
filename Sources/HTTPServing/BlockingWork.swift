internal import Lifecycle

/// Runs something that blocks on a thread of its own and waits for it without blocking one of
/// Swift's.
/// - Throws: what `work` throws, or `ServingError.cannotServe` when there is no thread to be had.
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
    continuation.resume(returning: .failure(.cannotServe(detail: "no thread")))
  }
  try result.get()
}

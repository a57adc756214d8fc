public import Lifecycle

/// Runs `services` for as long as `body` runs.
@discardableResult
public func running<Result>(
  _ services: [any Service], _ body: () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for service in services { group.addTask { try await service.run() } }
    let result = try await body()
    group.cancelAll()
    try await group.waitForAll()
    return result
  }
}

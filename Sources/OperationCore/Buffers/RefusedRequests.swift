import Lifecycle
import ReadModels
import ShiftDomain

/// The last refused requests of devices, as this instance remembers them: in memory only, so they
/// are gone after a restart, and other instances do not know them.
///
/// They are remembered by device and token. Whether the token was ever the device's is checked when
/// they are read, because that needs the database and a refusal must cost nothing: a token that
/// was made up has entries that nobody sees, and pushes out only refusals of requests whose token
/// was perhaps not checked. Adding one takes the same short time however many there are.
package final class RefusedRequests: Sendable {
  /// Of one token; the oldest is replaced.
  package static let requestsMax = 20
  /// The number of tokens that were perhaps not checked, and of the others; of each, the one that
  /// was refused first is dropped.
  package static let tokensMax = 5_000

  /// The name of this instance.
  package let instance: String
  /// Since when it remembers.
  package let since: Instant

  private struct Token: Hashable {
    let device: DeviceID
    let secretHash: [UInt8]
  }

  /// The last requests, in a ring.
  private struct Ring {
    var requests: [RefusedRequest] = []
    var oldest = 0

    mutating func add(_ request: RefusedRequest) {
      guard requests.count == RefusedRequests.requestsMax else {
        requests.append(request)
        return
      }
      requests[oldest] = request
      oldest = (oldest + 1) % RefusedRequests.requestsMax
    }

    var newestFirst: [RefusedRequest] {
      (requests[oldest...] + requests[..<oldest]).reversed()
    }
  }

  private struct Memory {
    var rings: [Token: Ring] = [:]
    /// The tokens in the order in which they were first refused, in a ring.
    var order: [Token] = []
    var oldest = 0

    mutating func add(_ request: RefusedRequest, of token: Token) {
      if rings[token] == nil {
        if order.count < RefusedRequests.tokensMax {
          order.append(token)
        } else {
          rings[order[oldest]] = nil
          order[oldest] = token
          oldest = (oldest + 1) % RefusedRequests.tokensMax
        }
      }
      rings[token, default: Ring()].add(request)
    }

    mutating func forget(_ employee: EmployeeID) {
      order = (order[oldest...] + order[..<oldest]).filter { $0.device.employee != employee }
      oldest = 0
      rings = rings.filter { $0.key.device.employee != employee }
    }
  }

  private struct Memories {
    /// Of requests whose token was refused, or whose body was before the token was checked.
    var unchecked = Memory()
    /// Of requests whose token was accepted.
    var others = Memory()
  }

  private static let uncheckedStatuses: Set<Int> = [400, 401, 413, 415, 422, 429]

  private let memory = Lock(Memories())

  package init(instance: String, since: Instant) {
    (self.instance, self.since) = (instance, since)
  }

  /// - Parameter secretHash: SHA-256 of the secret of the token that was sent.
  package func add(_ request: RefusedRequest, of device: DeviceID, secretHash: [UInt8]) {
    let token = Token(device: device, secretHash: secretHash)
    memory.withLock { memory in
      if Self.uncheckedStatuses.contains(request.status) {
        memory.unchecked.add(request, of: token)
      } else {
        memory.others.add(request, of: token)
      }
    }
  }

  /// The requests of `device` with its own token, revoked or not; the newest first.
  package func requests(of device: DeviceID, tokenHash: [UInt8]) -> [RefusedRequest] {
    let token = Token(device: device, secretHash: tokenHash)
    let all = memory.withLock { memory in
      [memory.unchecked, memory.others].flatMap { $0.rings[token]?.newestFirst ?? [] }
    }
    return Array(all.sorted { $0.at > $1.at }.prefix(Self.requestsMax))
  }

  /// Removes the requests of an employee who was erased. In the memory of other instances nobody
  /// sees them any more, because they belong to no device.
  package func forget(_ employee: EmployeeID) {
    memory.withLock { memory in
      memory.unchecked.forget(employee)
      memory.others.forget(employee)
    }
  }

  /// The number of requests in memory.
  package var count: Int {
    memory.withLock { memory in
      [memory.unchecked, memory.others].flatMap(\.rings.values).reduce(0) {
        $0 + $1.requests.count
      }
    }
  }
}

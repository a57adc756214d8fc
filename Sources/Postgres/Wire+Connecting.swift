internal import CLibpq
import Glibc

extension Wire {
  /// Opens a connection to the first server that accepts it, beginning with number `first`. Only a
  /// host name's look-up may block past the deadline: it has none.
  static func connect(
    _ configuration: ConnectionConfiguration, beginningWith first: Int = 0,
    until deadline: ContinuousClock.Instant, _ interrupt: Interrupt
  ) throws(Failure) -> Wire {
    let servers = configuration.servers
    var complaints: [String] = []
    for attempt in servers.indices {
      let number = (first + attempt) % servers.count
      // A machine that is gone does not even refuse, and must leave time for the others.
      let now = ContinuousClock.now
      let share = now.duration(to: deadline) / (servers.count - attempt)
      do throws(Failure) {
        let wire = try connect(servers[number], configuration, until: now + share, interrupt)
        wire.server = number
        return wire
      } catch .lost(let detail) {
        complaints.append(detail)
      }
    }
    throw .lost(detail: complaints.joined(separator: "; "))
  }

  private static func connect(
    _ server: [(key: String, value: String)], _ configuration: ConnectionConfiguration,
    until deadline: ContinuousClock.Instant, _ interrupt: Interrupt
  ) throws(Failure) -> Wire {
    let started = unsafe start(server)
    guard let raw = unsafe started else { throw .lost(detail: "out of memory") }
    let wire = unsafe Wire(owning: raw, configuration, interrupt)
    unsafe PQsetNoticeReceiver(raw, { _, _ in }, nil)
    var progress = PGRES_POLLING_WRITING
    while progress != PGRES_POLLING_OK {
      guard unsafe PQstatus(raw) != CONNECTION_BAD, progress != PGRES_POLLING_FAILED else {
        throw .lost(detail: wire.complaint)
      }
      // libpq may change the socket between two steps, so it is asked for each time.
      try wait(
        progress == PGRES_POLLING_READING ? .readable : .writable,
        on: unsafe PQsocket(raw), until: deadline, unless: interrupt)
      progress = unsafe PQconnectPoll(raw)
    }
    guard unsafe PQsetnonblocking(raw, 1) == 0, unsafe PQenterPipelineMode(raw) == 1 else {
      throw .lost(detail: wire.complaint)
    }
    return wire
  }

  /// Why libpq could not connect, on one line: host, database and user, never a password or row.
  private var complaint: String {
    guard let text = unsafe PQerrorMessage(raw) else { return "out of memory" }
    return unsafe String(cString: text).split { $0.isNewline || $0 == "\t" }.joined(separator: "; ")
  }

  private static func start(_ parameters: [(key: String, value: String)]) -> OpaquePointer? {
    var keys = unsafe parameters.map { unsafe UnsafePointer<CChar>(strdup($0.key)) } + [nil]
    var values = unsafe parameters.map { unsafe UnsafePointer<CChar>(strdup($0.value)) } + [nil]
    defer {
      unsafe (keys + values).forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) }
    }
    return unsafe PQconnectStartParams(&keys, &values, 0)
  }
}

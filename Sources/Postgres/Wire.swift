internal import CLibpq
import Glibc

/// One open connection, always in libpq's pipeline mode and never blocking in it: every wait is
/// ours, on the socket, with a deadline. Belongs to one `Connection` and lives on its thread.
@safe final class Wire {
  let raw: OpaquePointer
  let interrupt: Interrupt
  let configuration: ConnectionConfiguration
  var statements = StatementCache(capacity: 256)
  var forgotten: [String] = []
  /// How often statements were sent and their answers awaited.
  var roundTrips = 0
  /// Whether every answer to what was sent has been read.
  var isInStep = true
  /// Whether the server refused to write: it has become a standby, so another one may be needed.
  var isReadOnly = false
  /// Its number in the URL.
  var server = 0

  init(
    owning raw: OpaquePointer, _ configuration: ConnectionConfiguration, _ interrupt: Interrupt
  ) {
    unsafe self.raw = raw
    self.configuration = configuration
    self.interrupt = interrupt
  }

  deinit { unsafe PQfinish(raw) }

  /// Whether the next loan can use this connection: in step, idle, and silent while it was unused.
  /// A server that sends something unrequested most likely closes the connection; the exception, a
  /// changed setting, costs no more than a new connection.
  var isUsable: Bool {
    guard isInStep, !isReadOnly, !hasOpenTransaction else { return false }
    var socket = pollfd(fd: unsafe PQsocket(raw), events: Int16(POLLIN), revents: 0)
    return unsafe poll(&socket, 1, 0) == 0
  }

  /// Whether the server is inside a transaction, failed or not.
  var hasOpenTransaction: Bool { unsafe PQtransactionStatus(raw) != PQTRANS_IDLE }

  struct Events: OptionSet {
    let rawValue: Int32
    static let readable = Events(rawValue: POLLIN)
    static let writable = Events(rawValue: POLLOUT)
  }

  /// Waits until the socket is ready.
  /// - Throws: `.lost` when the deadline is over, `.cancelled` when `interrupt` is raised.
  static func wait(
    _ events: Events, on socket: Int32, until deadline: ContinuousClock.Instant,
    unless interrupt: Interrupt?
  ) throws(Failure) {
    while true {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { throw .lost(detail: "no answer within the deadline") }
      var watched = [pollfd(fd: socket, events: Int16(events.rawValue), revents: 0)]
      if let interrupt {
        watched.append(pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0))
      }
      let ready = unsafe poll(&watched, nfds_t(watched.count), left.wholeMilliseconds)
      if interrupt?.isRaised == true { throw .cancelled }
      if ready > 0 { return }
      guard ready == 0 || errno == EINTR else { throw .lost(detail: "poll failed (\(errno))") }
    }
  }
}

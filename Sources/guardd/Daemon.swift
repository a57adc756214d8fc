import BackgroundOperations
import BackgroundWorkers
import CommandParsing
import DeviceAPI
import DeviceOperations
import EmployeePage
import Foundation
import HTTPAPI
import HTTPServing
import IngestPipeline
import InsightOperations
import Lifecycle
import LiveEvents
import ManagerAPI
import ManagerCore
import ManagerOperations
import NotificationDelivery
import NotificationSending
import OperationCore
import PolicyOperations
import Postgres
import ServiceSettings
import ShiftDomain
import ShiftStore
import SystemCalls
import Telemetry
import WebPages

/// Reads the settings and serves until it is stopped; returns the exit status.
func guardd(arguments: [String], environment: [String: String]) async -> Int32 {
  let read: @Sendable () -> Order = { Order(arguments, environment: environment) }
  switch read() {
  case .print(let lines):
    print(lines.joined(separator: "\n"))
    return 0
  case .refuse(let faults):
    StandardError.write(Array(faults.map { "guardd: \($0)\n" }.joined().utf8))
    return usageStatus
  case .serve(let settings, let first):
    return await Daemon(settings, first, again: hangUps(), readAgain: read).run()
  }
}

private struct Daemon {
  private(set) var settings: Settings
  let first: ReadSettings
  /// Each asks to read the settings again.
  let requests: AsyncStream<Void>
  let readAgain: @Sendable () -> Order
  let log: Log
  let metrics: Metrics
  let spans: SpanExporter?
  /// In use while no key of Web Push is configured.
  private var madeWebPush: WebPushSettings?

  init(
    _ settings: Settings, _ first: ReadSettings, again requests: AsyncStream<Void>,
    readAgain: @escaping @Sendable () -> Order
  ) {
    self.settings = settings
    self.first = first
    self.requests = requests
    self.readAgain = readAgain
    let log = Log(least: settings.logLevel, to: .standardError(settings.logFormat))
    let metrics = Metrics()
    spans = settings.traces.map { SpanExporter($0, metrics, log) }
    (self.log, self.metrics) = (log, metrics)
  }

  /// Serves until it is stopped, or logs why it cannot start.
  /// - Source: exit statuses of sysexits.h.
  func run() async -> Int32 {
    log.info("starting", ["version": Build.version, "commit": Build.commit])
    metrics.gauge(
      "shiftguard_build_info", "What this instance was built from; always 1.",
      ["version": Build.version, "commit": Build.commit]
    ).set(1)
    let status: Int32
    do {
      status = try await serve()
    } catch let error as MigrationError {
      log.error("cannot migrate", ["reason": error])
      status = 78
    } catch {
      log.error("cannot start", ["reason": "\(error)"])
      status = 69
    }
    await log.flush()
    return status
  }

  private func serve() async throws -> Int32 {
    let connections = try Connections(settings, noteSlow: SlowStatements(metrics, log).note)
    do {
      if settings.migrates { try await migrate(connections.others) }
      try await SchemaGate(pool: connections.others, log: log).wait()
      await checkConnections(connections, log)
      if settings.isPooled { await checkSessionSettings(connections.others, log) }
      let status = try await addingWebPush(connections.others).serve(on: connections)
      await connections.close()
      return status
    } catch {
      await connections.close()
      throw error
    }
  }

  /// The same with Web Push by a key of our own, if none is configured.
  private func addingWebPush(_ pool: Pool) async throws -> Daemon {
    guard settings.channels.webPush == nil else { return self }
    var daemon = self
    daemon.madeWebPush = try await settings.madeWebPush(pool)
    daemon.settings.channels.webPush = daemon.madeWebPush
    return daemon
  }

  private func migrate(_ pool: Pool) async throws {
    // The kernel knows the program's path, however the program was called.
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    guard let directory = settings.migrations ?? Migrator.findDirectory(from: program) else {
      throw MigrationError.unreadable("db/migrations")
    }
    for name in try await Migrator(directory: directory).migrate(on: pool) {
      log.info("migrated", ["to": name])
    }
  }

  /// What requests need before the first one. After a failure a worker does it.
  private func prepare(_ watching: BackgroundOperations) async {
    do { _ = try await watching.compareClocks() } catch {
      log.warning("clocks not compared", ["reason": error])
    }
    // A request may be about a time at which a planned policy was to be in force.
    do { _ = try await watching.beginPlannedPolicies() } catch {
      log.warning("planned policies not begun", ["reason": error])
    }
  }

  private func serve(on connections: Connections) async throws -> Int32 {
    let pings = PingPipeline(
      pool: connections.pings, writers: settings.pingWriters, probing: connections.probing)
    metrics.gauge("shiftguard_pings_waiting", "Pings waiting to be stored.") {
      Double(pings.waiting)
    }
    let (inbox, outbox) = (WakeSignal(), WakeSignal())
    let notifier = try notifier(wakeSignals: [.inbox: inbox, .outbox: outbox])
    let operations = Operations(
      pool: connections.others, heavyReads: heavyReads(on: connections.reports), pings: pings,
      now: wallClock, instance: instanceName(),
      notificationLease: .seconds(Int64(settings.notificationLease)),
      inboxFilled: { notifier.notify(.inbox) }, outboxFilled: { notifier.notify(.outbox) })
    metrics.gauge("shiftguard_reports_waiting", "Uploads of reports waiting to be stored.") {
      Double(operations.device.reportsWaiting)
    }
    let watching = operations.background.using(connections.watching)
    let readiness = Readiness(pools: connections.tried, clock: operations.clock, pings: pings)
    let monitor = Monitor(metrics: metrics, log: log, observe: readiness.note)
    await prepare(watching)
    let heartbeat = Heartbeat(operations: watching, version: Build.text, monitor: monitor)
    let streams = NotificationStreams(
      operations: operations.device.using(connections.streams), wakeSignal: inbox, monitor: monitor)
    let transports = TransportSwitch(
      settings.channels, publicURL: settings.publicURL, clock: SendingClock(now: wallClock))
    let delivery = NotificationDelivery(
      operations: operations.background.using(connections.delivery),
      channels: transports.channels,
      wakeSignal: outbox, monitor: monitor)
    let boards = BoardStreams(
      operations: operations.manager.using(connections.streams), monitor: monitor)
    measure(connections.named)
    measureProcess(metrics)
    let services = try services(
      operations, watching, streams, boards, transports,
      before: [notifier, delivery, heartbeat, reload(of: transports, for: delivery)], readiness,
      monitor)
    let ending = await ServiceGroup(services, observe: note).run()
    await heartbeat.stop()
    await spans?.send()
    return ending.isClean ? 0 : 70
  }

  private func reload(
    of transports: TransportSwitch, for delivery: NotificationDelivery
  ) -> SettingsReload {
    SettingsReload(
      settings, first, madeWebPush, log: log, at: requests, read: readAgain
    ) { [log] settings in
      log.change(least: settings.logLevel)
      transports.change(to: settings.channels)
      do throws(OperationError) {
        try await delivery.retryEverything()
      } catch {
        log.warning("notifications wait for their next attempt", ["reason": error])
      }
    }
  }

  private func notifier(wakeSignals: [WakeChannel: WakeSignal]) throws -> PostgresNotifier {
    PostgresNotifier(
      try settings.connection("guardd wake-ups"),
      listening: try settings.listeningConnection("guardd wake-ups"), wakeSignals: wakeSignals,
      monitor: Monitor(metrics: metrics, log: log))
  }

  private func services(
    _ operations: Operations, _ watching: BackgroundOperations, _ streams: NotificationStreams,
    _ boards: BoardStreams, _ transports: TransportSwitch, before first: [any Service],
    _ readiness: Readiness, _ monitor: Monitor
  ) throws -> [any Service] {
    let servers = try servers(
      operations.availability, routes(operations, streams, boards, transports, readiness),
      machineRoutes(
        version: Build.text, troubles: { await readiness.troubles() },
        metrics: { [metrics] in metrics.render() }
      ).map(\.route))
    let workers = Workers(
      operations.background, watching: watching, every: .seconds(settings.watchInterval),
      measuresBackups: settings.backupAgeMax > .zero, monitor)
    return first + workers.all + [
      Worker("crossings", every: .seconds(10), pauseMax: .seconds(60), monitor) {
        () throws(OperationError) in
        try await operations.device.decideWaitingCrossings()
      },
      streams, boards,
    ] + (spans.map { [$0] } ?? []) + servers + [
      Draining(for: settings.drain) { readiness.beginStopping() }
    ]
  }

  /// One server for all routes; or two, of which the first serves only the machine routes and keeps
  /// answering until the second has answered its last requests.
  private func servers(
    _ availability: Availability, _ routes: [Route], _ machine: [Route]
  ) throws -> [any Service] {
    var configuration = ServerConfiguration(address: settings.address)
    configuration.threads = settings.workers
    configuration.answeredItself = { [metrics] status in
      availability.note(status)
      // Rare, and the statuses are few: the counters need not be kept.
      metrics.counter(
        "shiftguard_server_answers_total",
        "Requests that the server answered before or instead of a route, by status.",
        ["status": String(status)]
      ).add()
    }
    var servers: [any Service] = []
    if let address = settings.machineAddress {
      let server = try HTTPServer(ServerConfiguration(address: address), router: Router(machine))
      log.info("listening for health and metrics", ["address": server.address])
      servers.append(server)
    }
    let others = servers.isEmpty ? routes + machine : routes
    let server = try HTTPServer(
      configuration, router: Router(others, fallback: missingPage(for:above:)))
    return servers + [server, ListeningNotice(address: server.address, log: log)]
  }

  private func routes(
    _ operations: Operations, _ streams: NotificationStreams, _ boards: BoardStreams,
    _ transports: TransportSwitch, _ readiness: Readiness
  ) -> [Route] {
    let setUpChannels = { @Sendable () -> Set<Channel>? in transports.setUp }
    let differences = RuleDifferences(metrics, log)
    let observer = RouteObserver(
      decidedDifferently: { differences.note($0) },
      failed: { [log] reason in log.error("request failed", ["reason": reason]) })
    let devices = deviceRoutes(
      operations.device, now: wallClock, observer: observer, metrics: metrics, streams: streams)
    let others =
      managerRoutes(
        operations.manager, now: wallClock, observer: observer, boards: boards,
        setUpChannels: setUpChannels)
      + pages(operations.manager, settings, transports, now: wallClock, observer: observer)
      + employeePageRoutes(rules: rulesForBrowsers(), pushKey: settings.channels.pushKey)
    let measured = operations.availability.noting(devices.map(\.route)) + others.map(\.route)
    return RequestMeter.observing(
      ClockGate.guarding(readiness.listening(to: measured), operations.clock),
      by: RequestMonitor(metrics: metrics, log: log, slowAfter: settings.slowAfter, spans: spans))
  }

  private func heavyReads(on pool: Pool) -> HeavyReads {
    let waits = metrics.histogram(
      "shiftguard_heavy_read_wait_seconds",
      "Time that heavy reads of managers waited for their turn.")
    let heavyReads = HeavyReads(pool: pool) { waits.observe($0) }
    metrics.gauge("shiftguard_heavy_reads_waiting", "Heavy reads of managers that wait.") {
      Double(heavyReads.gate.load.waiting)
    }
    metrics.gauge("shiftguard_heavy_reads_running", "Heavy reads of managers, running or sent.") {
      Double(heavyReads.gate.load.inside)
    }
    return heavyReads
  }

  private func measure(_ pools: [(name: String, pool: Pool)]) {
    for (name, pool) in pools {
      metrics.gauge(
        "shiftguard_database_connections_lent", "Database connections in use, by their purpose.",
        ["pool": name]
      ) { Double(pool.load.lent) }
      metrics.gauge(
        "shiftguard_database_waiting", "Callers waiting for a database connection, by its purpose.",
        ["pool": name]
      ) { Double(pool.load.waiting) }
    }
  }

  private func note(_ event: LifecycleEvent) {
    switch event {
    case .started(let service): log.debug("started", ["service": service])
    case .stopping(let reason): log.info("stopping", ["reason": words(for: reason)])
    case .stopped(let service): log.debug("stopped", ["service": service])
    case .leftBehind(let service): log.error("did not stop in time", ["service": service])
    }
  }

  private func words(for reason: Ending.Reason) -> String {
    switch reason {
    case .signal(let number): "signal \(number)"
    case .returned(let service): "\(service) ended"
    case .failed(let service, let detail): "\(service) failed: \(detail)"
    case .cancelled: "cancelled"
    }
  }
}

/// The host and the process: what an operator needs to find this instance among others.
private func instanceName() -> String {
  // The kernel's name for the host; `ProcessInfo` might ask a name server.
  let host = NamedFiles.read("/proc/sys/kernel/hostname").map { bytes in
    String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }.prefix(64), as: UTF8.self)
  }
  return "\(host ?? "guardd"), process \(ProcessInfo.processInfo.processIdentifier)"
}

private func wallClock() -> Instant { Instant(milliseconds: calendarMilliseconds()) }

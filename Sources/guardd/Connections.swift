import ManagerCore
import Postgres
import ServiceSettings

/// The connections to the database. Pings have their own, so that clock actions and reports never
/// wait for them.
struct Connections: Sendable {
  let pings: Pool
  /// For trying whether pings can be written, so that no ping waits for that.
  let probing: Pool
  /// For the heartbeat, the watches over open and planned shifts, and two for the silence watch, so
  /// that many requests cannot delay these.
  let watching: Pool
  /// For delivering notifications, so that many requests cannot delay them.
  let delivery: Pool
  /// For the streams of phones and the boards of managers.
  let streams: Pool
  /// For the heavy reads of managers.
  let reports: Pool
  let others: Pool
  /// The maximum of connections: all pools, and two for wake-ups: one listens, one notifies.
  let connectionsMax: Int

  init(
    _ settings: Settings, noteSlow: @escaping @Sendable (SlowRoundTrip) -> Void
  ) throws(PostgresError) {
    var database = try settings.connection("guardd")
    (database.slowAfter, database.noteSlow) = (settings.slowAfter, noteSlow)
    func named(_ name: String) -> ConnectionConfiguration {
      var database = database
      database.applicationName = name
      return database
    }
    pings = Pool(database, size: settings.pingWriters, waitersMax: settings.pingWriters)
    probing = Pool(database, size: 1, waitersMax: 4)
    watching = Pool(named("guardd watch"), size: 5, waitersMax: 8)
    delivery = Pool(named("guardd delivery"), size: 4, waitersMax: 64)
    streams = Pool(named("guardd streams"), size: 2, waitersMax: 4)
    reports = Pool(
      named("guardd reports"), size: HeavyReads.connections, waitersMax: 16, isQuiet: true)
    connectionsMax =
      settings.pingWriters + 1 + 5 + 4 + 2 + HeavyReads.connections + settings.connections + 2
    others = Pool(database, size: settings.connections, waitersMax: 4_096)
  }

  var named: [(name: String, pool: Pool)] {
    [
      ("pings", pings), ("watch", watching), ("notifications", delivery), ("streams", streams),
      ("reports", reports), ("requests", others),
    ]
  }

  /// The same for trying whether they reach the database, which no ping may wait for either.
  var tried: [(name: String, pool: Pool)] {
    named.map { name, pool in (name, pool === pings ? probing : pool) }
  }

  func close() async {
    await pings.close()
    await probing.close()
    await watching.close()
    await delivery.close()
    await streams.close()
    await reports.close()
    await others.close()
  }
}

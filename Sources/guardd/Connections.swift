import Postgres

/// The connections to the database. Pings have their own, so that taps and reports never wait
/// behind them.
struct Connections: Sendable {
  /// For pings.
  let pings: Pool
  /// For the heartbeat, the watch over open shifts, and two for the one over silence: a crowd of
  /// requests makes nobody wait for these.
  let watching: Pool
  /// For messages on their way: a crowd of requests holds none up.
  let telling: Pool
  /// For the streams that phones have open, and the boards that managers have.
  let streams: Pool
  /// For everything else.
  let others: Pool
  /// Connections at most: those of all pools, and the one that listens for hints.
  let most: Int

  /// - Throws: `PostgresError` when the URL is none.
  init(_ settings: Settings) throws(PostgresError) {
    let database = try ConnectionConfiguration(settings.databaseURL, applicationName: "guardd")
    pings = Pool(database, size: settings.pingWriters, waitersMax: settings.pingWriters)
    watching = Pool(
      try ConnectionConfiguration(settings.databaseURL, applicationName: "guardd watch"),
      size: 4, waitersMax: 8)
    telling = Pool(
      try ConnectionConfiguration(settings.databaseURL, applicationName: "guardd messages"),
      size: 4, waitersMax: 64)
    streams = Pool(
      try ConnectionConfiguration(settings.databaseURL, applicationName: "guardd streams"),
      size: 2, waitersMax: 4)
    most = settings.pingWriters + 4 + 4 + 2 + settings.connections + 1
    others = Pool(database, size: settings.connections, waitersMax: 4_096)
  }

  /// What each is for, in a word.
  var named: [(name: String, pool: Pool)] {
    [
      ("pings", pings), ("watch", watching), ("messages", telling), ("streams", streams),
      ("requests", others),
    ]
  }

  /// Waits until what runs has ended, and closes all.
  func close() async {
    await pings.close()
    await watching.close()
    await telling.close()
    await streams.close()
    await others.close()
  }
}

import Foundation
import Postgres

/// Whether test databases are spread over nodes of Citus.
public let isOnCitus = ProcessInfo.processInfo.environment["SHIFTGUARD_TEST_WORKERS"] != nil

/// How many sessions of the test's database wait for a lock, on whatever node.
public let sessionsWaitingForLocks: SQL =
  isOnCitus
  ? """
  SELECT count(*) FROM citus_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'
  """
  : """
  SELECT count(*) FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'
  """

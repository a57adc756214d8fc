import Postgres

// Table web_push_key: at most one row.

/// The stored key; `new` is stored if there is none. Instances that start at once get the same.
package func webPushKey(orStore new: [UInt8], on session: inout Session) throws(PostgresError)
  -> [UInt8]
{
  // Two statements: the second sees what another transaction has stored while the first waited.
  try session.execute(
    "INSERT INTO web_push_key AS made (private_key) VALUES (\(new)) ON CONFLICT DO NOTHING")
  return try session.run("SELECT private_key FROM web_push_key").value(0, 0)
}

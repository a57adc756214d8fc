import Postgres

// Table web_push_key: at most one row.

/// The stored key; `new` is stored if there is none. Instances that start at once get the same.
package func webPushKey(orStore new: [UInt8], on session: inout Session) throws(PostgresError)
  -> [UInt8]
{
  // Written only once: an instance also starts while the database only reads.
  if let stored = try storedWebPushKey(on: &session) { return stored }
  // Waits for another instance that does the same; the next statement sees what that has stored.
  try session.execute(
    "INSERT INTO web_push_key AS made (private_key) VALUES (\(new)) ON CONFLICT DO NOTHING")
  return try storedWebPushKey(on: &session) ?? new
}

private func storedWebPushKey(on session: inout Session) throws(PostgresError) -> [UInt8]? {
  try session.run("SELECT private_key FROM web_push_key").firstValue()
}

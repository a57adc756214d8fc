import Postgres

// The role that guardd connects as, where another role owns the tables.

/// The roles that were given the rights of the service. Empty for who cannot give them.
package func serviceRoles(on session: inout Session) throws(PostgresError) -> [String] {
  try session.run(
    """
    SELECT DISTINCT rolname::text
    FROM pg_proc CROSS JOIN aclexplode(proacl) AS entry JOIN pg_roles AS role
      ON role.oid = entry.grantee
    WHERE pg_proc.oid = to_regprocedure('drop_ping_week(timestamptz)') AND entry.grantee <> proowner
      AND pg_has_role(proowner, 'USAGE') AND to_regprocedure('grant_to_service(name)') IS NOT NULL
    ORDER BY rolname
    """
  ).values()
}

-- Why: what the installation knows of itself: heartbeats of its instances, our own outages, in
--   which no phone counts as silent, backups, and its key of Web Push.
-- Locks: none, the tables are new. Size: a row per instance, outage and backup; one key.

-- Heartbeats: an instance of the service was alive and could commit, once a second.
CREATE TABLE heartbeat (
  instance_id bigint      NOT NULL,  -- new at every start
  beat_at     timestamptz NOT NULL,  -- the database's clock; all it received before is stored
  stopped     boolean     NOT NULL DEFAULT false,  -- it was asked to stop, which is no fault
  version     text,                  -- of its program, seen during an upgrade; NULL: unknown
  CONSTRAINT heartbeat_pk PRIMARY KEY (instance_id)
) WITH (fillfactor = 50);

-- Outages: no instance was alive, or none could commit.
CREATE TABLE outage (
  started_at timestamptz NOT NULL,  -- the last heartbeat of any instance
  ended_at   timestamptz NOT NULL,  -- the first one afterwards
  CONSTRAINT outage_pk PRIMARY KEY (started_at),
  CONSTRAINT outage_ends_after_start CHECK (ended_at > started_at),
  CONSTRAINT outage_spans_disjoint EXCLUDE USING gist (tstzrange(started_at, ended_at) WITH &&)
);
SELECT replicate_everywhere('outage');

-- Backups are recorded, so that an old one is noticed.
CREATE TABLE backup (
  finished_at timestamptz NOT NULL,
  method      text        NOT NULL,  -- the program that made it
  CONSTRAINT backup_pk PRIMARY KEY (finished_at),
  CONSTRAINT backup_method_length CHECK (length(method) BETWEEN 1 AND 50)
);
SELECT replicate_everywhere('backup');

-- Without a configured key, guardd makes the key that signs its Web Push messages, once for all
-- instances: browsers subscribe with it. One row.
CREATE TABLE web_push_key (
  number      smallint NOT NULL DEFAULT 1,
  private_key bytea    NOT NULL,  -- on P-256, most significant byte first
  CONSTRAINT web_push_key_pk PRIMARY KEY (number),
  CONSTRAINT web_push_key_one_row CHECK (number = 1),
  CONSTRAINT web_push_key_length CHECK (octet_length(private_key) = 32)
);
SELECT replicate_everywhere('web_push_key');

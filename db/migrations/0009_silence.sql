-- Why: the watch over silence. It must know a phone's last position or rest, and our own outages,
--   in which no phone counts as silent.
-- Locks: ACCESS EXCLUSIVE on `device_pulse`, milliseconds (nullable, nothing is rewritten).
-- Size: one heartbeat per instance of the last day; one row per outage.
ALTER TABLE device_pulse
  ADD COLUMN last_rest_at timestamptz;  -- when it last reported to be at rest

-- Heartbeats: an instance of the service was alive and could commit, once a second.
CREATE TABLE heartbeat (
  instance_id bigint      NOT NULL,  -- new at every start
  beat_at     timestamptz NOT NULL,  -- the database's clock; everything it received before is stored
  CONSTRAINT heartbeat_pk PRIMARY KEY (instance_id)
) WITH (fillfactor = 50);
SELECT replicate_everywhere('heartbeat');

-- Outages: no instance was alive, or none could commit.
CREATE TABLE outage (
  started_at timestamptz NOT NULL,  -- the last heartbeat of any instance
  ended_at   timestamptz NOT NULL,  -- the first one afterwards
  CONSTRAINT outage_pk PRIMARY KEY (started_at),
  CONSTRAINT outage_ends_after_start CHECK (ended_at > started_at),
  CONSTRAINT outage_spans_disjoint EXCLUDE USING gist (tstzrange(started_at, ended_at) WITH &&)
);
SELECT replicate_everywhere('outage');

-- Phones on shift during this migration had their last contact with the earlier service: from then
-- on the service was unavailable.
INSERT INTO heartbeat (instance_id, beat_at)
SELECT 0, date_trunc('milliseconds', least(max(last_received_at), now()))
FROM device_pulse
HAVING max(last_received_at) IS NOT NULL;

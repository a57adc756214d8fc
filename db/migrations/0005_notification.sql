-- Why: the outbox. A notification is written in the transaction of the fact it reports, under a key
--   derived from that fact, so it can be neither lost nor duplicated.
-- Locks: none on data. Size: a row per notification not yet sent.
CREATE TABLE notification (
  employee_id int         NOT NULL REFERENCES employee (employee_id),
  subject     int         NOT NULL,              -- topic 0: the incident's number
  queued_at   timestamptz NOT NULL DEFAULT now(),
  due_at      timestamptz NOT NULL,              -- not sent before; a claim moves it forward
  topic       smallint    NOT NULL,              -- 0 an incident
  ordinal     smallint    NOT NULL,              -- its place among the subject's notifications, from 1
  slot        smallint    NOT NULL,              -- hash of the employee: keeps one employee's order
  kind        smallint    NOT NULL,              -- its kind when it was queued
  attempts    smallint    NOT NULL DEFAULT 0,
  lease       int         NOT NULL DEFAULT 0,    -- increases with every claim; in the WHERE of a finish
  urgent      boolean     NOT NULL,
  CONSTRAINT notification_pk PRIMARY KEY (employee_id, topic, subject, ordinal),
  CONSTRAINT notification_slot_range CHECK (slot BETWEEN 0 AND 63)
) WITH (
  fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000
);
SELECT distribute_by_employee('notification');
CREATE INDEX notification_due ON notification (slot, due_at);

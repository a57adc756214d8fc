-- Why: nobody is late, and nothing opens by itself, while an employee is absent; and a clock-in for a
--   planned shift may belong to a few sites of the team.
-- Version before: runs on it. It knows no absence. What it plans names no site, and it judges a
--   place by all sites of the team. A site that it removes stays named, which counts for nothing;
--   so does a site of a team that it takes an employee out of, unless the new team has that number.
-- Locks: planned_shift, for an instant. Size: some 150 bytes for each absence, two indexes included;
--   20 for each planned shift that names sites.

ALTER TABLE planned_shift
  ADD COLUMN sites smallint[] NOT NULL DEFAULT '{}';  -- of the employee's team; empty: all of them
ALTER TABLE planned_shift ADD CONSTRAINT planned_shift_sites_few CHECK (cardinality(sites) <= 20);

CREATE TABLE absence (
  absence_id  bigint      NOT NULL,  -- 41 bits of milliseconds, 22 random
  starts_at   timestamptz NOT NULL,
  ends_at     timestamptz NOT NULL,
  created_at  timestamptz NOT NULL,
  employee_id int         NOT NULL,
  created_by  text        NOT NULL,
  note        text,                  -- for managers
  CONSTRAINT absence_pk PRIMARY KEY (employee_id, absence_id),
  CONSTRAINT absence_employee FOREIGN KEY (employee_id) REFERENCES employee (employee_id)
    ON DELETE CASCADE,  -- the version before erases employees, too
  CONSTRAINT absence_length
    CHECK (ends_at - starts_at BETWEEN interval '1 minute' AND interval '8784 hours'),
  CONSTRAINT absence_by_length CHECK (length(created_by) BETWEEN 1 AND 100),
  CONSTRAINT absence_note_length CHECK (length(note) BETWEEN 1 AND 200),
  CONSTRAINT absence_disjoint
    EXCLUDE USING gist (employee_id WITH =, tstzrange(starts_at, ends_at) WITH &&)
);
SELECT distribute_by_employee('absence');

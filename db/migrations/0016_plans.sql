-- Why: a planned shift distinguishes "scheduled" from "clocked in" on the board, and its end
--   decides when an employee is asked about a forgotten clock-out.
-- Locks: none that others wait for. Size: some 150 bytes per planned shift, two indexes included.
CREATE TABLE planned_shift (
  plan_id     bigint      NOT NULL,  -- 41 bits of milliseconds, 22 random
  starts_at   timestamptz NOT NULL,
  ends_at     timestamptz NOT NULL,
  created_at  timestamptz NOT NULL,
  employee_id int         NOT NULL REFERENCES employee (employee_id),
  created_by  text        NOT NULL,
  CONSTRAINT planned_shift_pk PRIMARY KEY (employee_id, plan_id),
  CONSTRAINT planned_shift_ends_after_start CHECK (ends_at > starts_at),
  CONSTRAINT planned_shift_by_length CHECK (length(created_by) BETWEEN 1 AND 100),
  CONSTRAINT planned_shift_disjoint
    EXCLUDE USING gist (employee_id WITH =, tstzrange(starts_at, ends_at) WITH &&)
);
SELECT distribute_by_employee('planned_shift');

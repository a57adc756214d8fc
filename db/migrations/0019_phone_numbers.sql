-- Why: a manager who sees that somebody cannot be tracked wants to call them.
-- Locks: employee, for an instant. Size: a row per employee.
ALTER TABLE employee ADD COLUMN phone_number text;  -- as entered; NULL: none
ALTER TABLE employee ADD CONSTRAINT employee_phone_number_form CHECK (
  length(phone_number) <= 31 AND phone_number ~ '^[+]?([ ()./-]*[0-9]){3}[0-9 ()./-]*$');

-- Schedules that run: what a run needs to know, and what became of every slot.

ALTER TABLE schedules
  -- What happens to a slot while an earlier run has not ended.
  ADD COLUMN overlap text NOT NULL DEFAULT 'skip' CHECK (overlap IN ('skip', 'queue')),
  -- Values for the tokens of a template; where they are given, the query is a template.
  ADD COLUMN template_values json,
  -- The key that made the schedule: its queries are run on behalf of that key.
  ADD COLUMN api_key_id uuid;

-- One row a slot, whoever ticks; a run that somebody asked for has no slot.
CREATE TABLE schedule_runs (
  id uuid PRIMARY KEY,
  schedule_id text NOT NULL REFERENCES schedules ON DELETE CASCADE,
  slot timestamptz(3),
  status text NOT NULL CHECK (status IN ('fired', 'skipped', 'failed')),
  reason text,
  query_id uuid,
  -- The state of the query as it was last seen; null where there is none.
  query_status text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3),
  CONSTRAINT schedule_runs_slot_key UNIQUE (schedule_id, slot)
);
CREATE INDEX schedule_runs_history_idx ON schedule_runs (schedule_id, created_at DESC, slot DESC);
CREATE INDEX schedule_runs_open_idx ON schedule_runs (schedule_id) WHERE query_status IN ('queued', 'running');
CREATE INDEX schedule_runs_created_at_idx ON schedule_runs (created_at);

-- What the pages of failed browser work did last: requests, console lines and a thumbnail, sealed because pages show all sorts of things.

CREATE TABLE flights (
  id uuid PRIMARY KEY,
  -- Whose failure it tells of, a browser job or a run of a query's command; it goes with that.
  job_id uuid REFERENCES browser_jobs ON DELETE CASCADE,
  query_id uuid REFERENCES queries ON DELETE CASCADE,
  stage integer,
  index integer,
  sealed text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT flights_job_id_key UNIQUE (job_id),
  CONSTRAINT flights_run_key UNIQUE (query_id, stage, index)
);
ALTER TABLE flights ALTER COLUMN sealed SET STORAGE EXTERNAL;

ALTER TABLE query_commands
  -- Whether its flight is kept.
  ADD COLUMN flight boolean NOT NULL DEFAULT false;

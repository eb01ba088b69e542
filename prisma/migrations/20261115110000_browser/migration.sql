-- Jobs of browser operations, and the pictures that browsers take.

CREATE TABLE browser_jobs (
  id uuid PRIMARY KEY,
  operation text NOT NULL,
  api_key_id uuid,
  request_id text NOT NULL,
  -- What is asked for, and once the job has ended its outcome: both may hold cookies, headers and passwords.
  sealed text NOT NULL,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  error_code text,
  -- Pages that were opened for it, each a try.
  attempts integer NOT NULL DEFAULT 0,
  -- Counts the owners: a write of an earlier owner finds another fence and does nothing.
  fence integer NOT NULL DEFAULT 0,
  -- Owners that did not come to an end; too many mean that the job ends its workers.
  claims integer NOT NULL DEFAULT 0,
  lease_until timestamptz(3),
  -- The number of the latest job that was put into the queue for it, and when.
  job_no integer NOT NULL DEFAULT 1,
  enqueued_at timestamptz(3) NOT NULL DEFAULT now(),
  deadline_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3)
);
ALTER TABLE browser_jobs ALTER COLUMN sealed SET STORAGE EXTERNAL;
CREATE INDEX browser_jobs_active_idx ON browser_jobs (api_key_id) WHERE status IN ('queued', 'running');
CREATE INDEX browser_jobs_live_idx ON browser_jobs (enqueued_at) WHERE status IN ('queued', 'running');
CREATE INDEX browser_jobs_failed_idx ON browser_jobs (finished_at) WHERE status = 'failed';
CREATE INDEX browser_jobs_expires_at_idx ON browser_jobs (expires_at) WHERE expires_at IS NOT NULL;

-- Pictures by the SHA-256 of their bytes; one that nothing names is reaped when it was long not used.
CREATE TABLE screenshots (
  hash text PRIMARY KEY,
  type text NOT NULL CHECK (type IN ('png', 'jpeg', 'webp')),
  width integer NOT NULL,
  height integer NOT NULL,
  bytes integer NOT NULL,
  data bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  used_at timestamptz(3) NOT NULL DEFAULT now()
);
ALTER TABLE screenshots ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE INDEX screenshots_used_at_idx ON screenshots (used_at);

-- The pictures that belong to a query, each by the run of a command that took it.
CREATE TABLE query_screenshots (
  query_id uuid NOT NULL REFERENCES queries ON DELETE CASCADE,
  stage integer NOT NULL,
  index integer NOT NULL,
  hash text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (query_id, stage, index)
);
CREATE INDEX query_screenshots_hash_idx ON query_screenshots (hash);

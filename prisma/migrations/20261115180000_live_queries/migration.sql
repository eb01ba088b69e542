-- A query passes through these indexes three times: when it is stored, when it is claimed and when it ends. One index of what has not
-- ended serves the look for lost jobs and the count of each key; that of states holds only what stays in its state.
DROP INDEX queries_active_idx;
DROP INDEX queries_live_idx;
DROP INDEX queries_status_idx;
CREATE INDEX queries_live_idx ON queries (enqueued_at, api_key_id) WHERE status IN ('queued', 'running');
CREATE INDEX queries_ended_idx ON queries (status, created_at DESC, id DESC) WHERE status NOT IN ('queued', 'running');

import type { JobStatus } from '@nexus/plugin-sdk';

/** Times are epoch milliseconds. */
export interface JobsTables {
  jobs_jobs: JobRow;
  jobs_servers: ServerRow;
}

export interface JobRow {
  id: string;
  tool: string;
  /** JSON. */
  arguments: string;
  session_id: string;
  idempotency_key: string | null;
  /** 1 where a later server may run it again. */
  may_run_twice: number;
  status: JobStatus;
  status_message: string | null;
  /** JSON of an {@link Ending}; null while it works. */
  ending: string | null;
  /** Whose it is while it works; null where its server stopped and left it to the next. */
  server_id: string | null;
  created_at: number;
  updated_at: number;
  expires_at: number;
}

/** A server that has, or had, jobs of its own: they are its as long as its heart beats. */
export interface ServerRow {
  id: string;
  host: string;
  pid: number;
  heartbeat_at: number;
}

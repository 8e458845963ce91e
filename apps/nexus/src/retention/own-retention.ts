import type { Retention } from '@nexus/plugin-sdk';

const WITH_RUNS = 'for as long as the run that it is of';

/** Of tables that are no plugin's. */
export const ownRetention: readonly Retention[] = [
  {
    table: 'runs_runs',
    holds: 'durable runs and jobs',
    age: 'created_at',
    kept: '30 days from its end or its last reading, a job for as long as was asked; 10 000 families, 512 MB, where those that go on from one another are one. What has not ended stays',
  },
  { table: 'runs_steps', holds: 'what steps came to', age: 'started_at', kept: WITH_RUNS },
  { table: 'runs_events', holds: 'what happened in a run', age: 'at', kept: WITH_RUNS },
  { table: 'runs_questions', holds: 'what runs ask people', age: 'asked_at', kept: WITH_RUNS },
  { table: 'runs_spending', holds: 'what calls of models cost', kept: WITH_RUNS },
  { table: 'runs_calls', holds: 'answers of tools that must not be called twice', kept: WITH_RUNS },
  { table: 'runs_taken_up', holds: 'which run a call has taken up', kept: WITH_RUNS },
  { table: 'runs_blobs', holds: 'long inputs and answers', kept: WITH_RUNS },
  { table: 'runs_turns', holds: 'runs that share a concurrency key', kept: 'until the run is over' },
  {
    table: 'runs_workers',
    holds: 'processes that run runs',
    age: 'seen_at',
    kept: 'a day after they were seen last',
  },
  { table: 'runs_doubts', holds: 'deaths of processes that may live', kept: 'ten minutes' },
  {
    table: 'models_calls',
    holds: 'calls of models, for routing',
    age: 'started_at',
    days: 90,
    rows: 500_000,
  },
  {
    table: 'models_judgements',
    holds: 'how work of models turned out',
    age: 'judged_at',
    days: 365,
    rows: 500_000,
  },
  { table: 'toolboxes_catalogue', holds: 'tools that servers listed', age: 'listed_at', days: 90 },
  { table: 'toolboxes_open', holds: 'toolboxes that a session has open', age: 'opened_at', days: 30 },
  {
    table: 'toolboxes_pins',
    holds: 'definitions of tools that were agreed to',
    kept: 'a row for each tool of a server; `nexus pins` takes them off',
  },
  {
    table: 'toolboxes_shapes',
    holds: 'what results of tools without an output schema look like',
    age: 'learnt_at',
    days: 90,
    rows: 2_000,
  },
  {
    table: 'audit_checkpoints',
    holds: 'checkpoints of audit trails, which machines anchor with each other',
    kept: 'for good: what is gone would look like tampering',
  },
  { table: 'fetching_budgets', holds: 'how far each source may be asked', age: 'next_at', days: 30 },
  { table: 'schedules_slots', holds: 'how far schedules have come', age: 'slot', days: 400 },
  { table: 'jobs_jobs', holds: 'jobs as a former version kept them', age: 'expires_at', days: 30 },
  { table: 'nexus_migrations', holds: 'what was done to the tables', kept: 'a row for each migration' },
  { table: 'nexus_project', holds: 'whose schema it is', kept: 'one row' },
  {
    table: 'sessions_present',
    holds: 'sessions that hold what ends with them',
    kept: 'until the session is over',
  },
  { table: 'sweeps_done', holds: 'when old rows were taken last', kept: 'one row' },
];

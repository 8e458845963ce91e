import type { AskedQuestion, RunStatus, RunStep } from '@nexus/plugin-sdk';

/**
 * Times are epoch milliseconds of the database's clock. Values are JSON; from 16 kB on, `@` and the name of
 * a blob of the run.
 */
export interface RunTables {
  runs_runs: RunRow;
  runs_steps: StepRow;
  runs_events: EventRow;
  runs_questions: QuestionRow;
  runs_spending: SpendingRow;
  runs_calls: CallRow;
  runs_blobs: BlobRow;
  runs_workers: WorkerRow;
  runs_turns: TurnRow;
  runs_doubts: DoubtRow;
  runs_taken_up: TakenUpRow;
}

export interface RunRow {
  id: string;
  root_id: string;
  parent_id: string | null;
  /** The parent's step that this run does, or that called for it. */
  parent_step: string | null;
  kind: string;
  version: number;
  title: string;
  /** The session and the user that it came from; null for whoever runs as the server's own user. */
  session_id: string | null;
  user_id: string | null;
  /** What a second start finds it by; see `startKey`. */
  start_key: string | null;
  /** Of what the key stands for; null for a run without one, and for those of a version before. */
  start_digest: string | null;
  /** The run that went on where this one had failed or was cancelled. */
  goes_on_in: string | null;
  input: string | null;
  definition: string | null;
  rerun_of: string | null;
  /** `queued` and `waiting` have no owner, `running` has one. */
  status: RunStatus;
  message: string | null;
  owner: string | null;
  /** Counts owners up: what an earlier one still writes is refused. */
  epoch: number;
  /** Of a family's first run: processes that died with the family, since a run of it last got a step further. */
  crashes: number;
  /** How many steps of the family were done when a process died with it last. */
  crash_steps: number;
  /** When a queued or waiting run may go on; null for one that waits for an event. */
  wake_at: number | null;
  deadline_at: number | null;
  output: string | null;
  error: string | null;
  cap_tokens: number | null;
  cap_micros: number | null;
  created_at: number;
  updated_at: number;
  ended_at: number | null;
  /** The machine that alone can go on with it, since what it works on lies there; null for any. */
  place?: string | null | undefined;
  /** W3C `traceparent` of what it is part of, and what goes with it; null for a run of a version before. */
  trace?: string | null | undefined;
  /** The folders of the project that whoever began it may read, as JSON, relative to it; null for all of it. */
  roots?: string | null | undefined;
  /** How many of its key go on at a time, as JSON. */
  concurrency?: string | null | undefined;
  /** When what it came to was last asked for, long after its end. */
  read_at?: number | null | undefined;
  /** When its end was handed to somebody who asked; kept of one that nobody knows the outcome of. */
  told_at?: number | null | undefined;
  /** Of a family's first run: the tool that first brought its family untrusted text, and private data. */
  untrusted_by?: string | null | undefined;
  private_by?: string | null | undefined;
  /** Of what it keeps. */
  bytes: number;
  /** How long it stays on record at least, in milliseconds from its end, or from when it was last asked for. */
  keep_ms: number;
}

/** See `takenUpBy`. */
interface TakenUpRow {
  key: string;
  run_id: string;
}

export interface StepRow {
  run_id: string;
  name: string;
  kind: RunStep['kind'];
  title: string;
  status: Exclude<RunStep['status'], 'interrupted'>;
  attempt: number;
  /** Of what it worked on. */
  digest: string | null;
  /** The beginning of that, as JSON; null for a step that was given nothing, or before inputs were kept. */
  input: string | null;
  is_repeatable: number;
  output: string | null;
  error: string | null;
  /** Counts up in the run. */
  begin_seq: number;
  /** Null until the run has taken note of its end: a child or a person may be ahead of it. */
  end_seq: number | null;
  child_id: string | null;
  wake_at: number | null;
  started_at: number;
  ended_at: number | null;
}

export interface EventRow {
  run_id: string;
  seq: number;
  type: string;
  step: string | null;
  attempt: number | null;
  data: string | null;
  at: number;
}

export interface QuestionRow {
  run_id: string;
  name: string;
  /** Null for an answer that came before its question. */
  message: string | null;
  schema: string | null;
  subject: string | null;
  digest: string | null;
  status: AskedQuestion['status'];
  answer: string | null;
  asked_at: number;
  answered_at: number | null;
  /** The step that asks for a yes before it goes on; null for what the run itself asks. */
  step?: string | null | undefined;
}

/** What a call in flight may cost, and then what it did. */
export interface SpendingRow {
  id: string;
  root_id: string;
  run_id: string;
  step: string;
  tokens: number;
  /** Millionths of a US dollar. */
  micros: number;
  is_settled: number;
  /** Of the run, when the call was begun: one of an earlier owner cost what nobody knows. */
  epoch: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  is_unpriced: number;
  is_estimated: number;
  /** Paid by the run that this one was made from. */
  is_kept: number;
  /** How often it was interrupted, and made again: each time cost what nobody knows. */
  interrupted: number;
  /** Of what was asked. */
  digest: string | null;
  /** What was answered, as JSON, until the attempt that asked has failed, or its run is completed. */
  answer: string | null;
}

/**
 * A call of a tool that must not be made twice, of a step that was completed: on record until its run is completed, for
 * whoever has that go on.
 */
export interface CallRow {
  run_id: string;
  step: string;
  /** In the order of the step's work. */
  nth: number;
  tool: string;
  /** Of the tool and its arguments. */
  digest: string;
  /** The beginning of its arguments, as a step's input. */
  input: string;
  /** As JSON. */
  answer: string;
}

export interface BlobRow {
  run_id: string;
  hash: string;
  content: string;
}

/** A run that has not ended and shares a key with others, of which only so many go on at a time. */
export interface TurnRow {
  run_id: string;
  key: string;
  /** How many at a time, as this run has it. */
  at_once: number;
  /** In the order of their coming. */
  seq: number;
  has_turn: number;
  /** A newer one takes its place. */
  is_outrun: number;
}

/** A process that has, or had, runs of its own. */
export interface WorkerRow {
  id: string;
  host: string;
  pid: number;
  seen_at: number;
}

/** A death that counts for a family, of a process that may live. */
export interface DoubtRow {
  root_id: string;
  worker: string;
  /** Until then nothing ends by it. */
  until: number;
}

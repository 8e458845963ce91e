import type { Audit } from './audit.ts';
import type { Events } from './events.ts';
import type { Fetching } from './fetching.ts';
import type { Jobs } from './jobs.ts';
import type { Log } from './log.ts';
import type { Models } from './models/models.ts';
import type { Programs } from './programs/programs.ts';
import type { Project } from './project.ts';
import type { Results } from './results.ts';
import type { Runs } from './runs/runs.ts';
import type { Secrets } from './secrets.ts';
import type { Sessions } from './session-scope.ts';
import type { Traces } from './spans.ts';
import type { Store } from './store.ts';
import type { Toolboxes } from './toolboxes.ts';
import type { Workers } from './workers.ts';

/** What the app hands to every plugin at start: services and places, all behind interfaces. */
export interface Host {
  /**
   * Absolute path of the project this server works on, symlinks resolved. Where it was started outside of one, a
   * tool's roots have no such folder, and a run that reads this gets NEXUS_UNAVAILABLE.
   */
  readonly projectRoot: string;
  /** What models are told of the project. */
  readonly project: Project;
  /** Where durable files go (`NEXUS_DATA_DIR`); a plugin uses a folder named after itself. */
  readonly dataDir: string;
  /**
   * Real paths of what is this server's own: its data, tokens and sockets. No tool reads or lists what lies there,
   * whatever the roots are.
   */
  readonly privatePaths: readonly string[];
  /** Durable tables; connects on first use. */
  readonly store: Store;
  /** Which sessions of clients are there. */
  readonly sessions: Sessions;
  /** Calls of long tools that are on record. */
  readonly jobs: Jobs;
  /** What was too long for an answer. */
  readonly results: Results;
  /** Durable work of many steps. */
  readonly runs: Runs;
  /** Other MCP servers. */
  readonly toolboxes: Toolboxes;
  /** Threads for work on what comes from outside. */
  readonly workers: Workers;
  /** Programs of the machine. */
  readonly programs: Programs;
  readonly secrets: Secrets;
  /** The way out of the machine. */
  readonly fetching: Fetching;
  /** What was done here, on record. */
  readonly audit: Audit;
  /** How it went, span by span. */
  readonly traces: Traces;
  /** Language models. */
  readonly models: Models;
  readonly events: Events;
  /** For what happens outside a call; within one, `context.log`. */
  readonly log: Log;
  /** Fires when the server shuts down. */
  readonly signal: AbortSignal;
}

import type { ModelUsage } from '../../models/generate.ts';
import type { Basis } from '../../named/basis.ts';
import type { RunContract } from '../run-kind.ts';

/** What an expert gets for a turn; all but the task itself as data. */
export interface Assignment {
  readonly task: string;
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /** What others found that this task needs, by who they are. */
  readonly earlier?: readonly { readonly from: string; readonly text: string }[] | undefined;
  /** Told beside the task to an expert that has a tool which writes, and to no other. */
  readonly whereItWrites?: string | undefined;
  /** Why an earlier try of this task was sent back, and that try. */
  readonly sentBack?: { readonly output: string; readonly feedback: string } | undefined;
}

/** One expert at work on one task; plain JSON. */
export interface ExpertTurnInput {
  /** One of the plugin's: `Runs.choices` tells which there are. */
  readonly role: string;
  /** As `ModelRequest.model`. */
  readonly model?: string;
  /** Beside what its role tells it. */
  readonly instructions?: string;
  readonly assignment: Assignment;
  /** Model calls at most; by default what the config says. */
  readonly maxSteps?: number;
}

/** What an expert read or ran, as whoever judges its work can open it again; plain JSON, without what it showed. */
export interface Reference {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Of one file. */
  readonly path?: string;
  /** As they were asked for. */
  readonly lines?: string;
  /** Of what the tool answered: SHA-256, its first 16 hexadecimal digits. */
  readonly digest: string;
  readonly isError: boolean;
}

export interface ExpertTurnOutput {
  /** Markdown, with `(not found)` after what it names and what is not there, though its author was told once. */
  readonly output: string;
  /** What it names and what is not there. Absent of a turn of the first version, which looked nothing up. */
  readonly missing?: readonly string[];
  /** What stands behind it. Absent as `missing` is. */
  readonly basis?: Basis;
  readonly toolCalls: readonly { readonly name: string; readonly isError: boolean }[];
  /** In their order, each once. */
  readonly references: readonly Reference[];
  readonly usage: ModelUsage;
  readonly model: string;
  readonly durationMs: number;
  /** Why it stopped, where it did not end by its own answer. */
  readonly stopped?: string;
}

/** One turn of an expert with the tools that it may use, as the plugin `experts` does it. */
export const expertTurn: RunContract<ExpertTurnInput, ExpertTurnOutput> = {
  name: 'experts.turn',
  isAgent: true,
  version: 4,
};

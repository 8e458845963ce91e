import { type Asked, costLine, tookWords } from '../../models/usage.ts';
import type { Run } from '../runs.ts';
import { tookMsOf } from './took.ts';

/** What every answer of a run has beside its tool's own. */
interface Ended {
  readonly runId?: string | undefined;
  readonly usage?: Asked | undefined;
  readonly tookMs?: number | undefined;
}

/** Begins what stands below the result of a run. */
const BEHIND = '---\nWhat stands behind it, each step with what it was given and came to: nexus://runs/';

/**
 * An answer of a run as a reader gets it: the result, then where what stands behind it is, then what it cost. One
 * that came without a run, such as of a dry run, is the result alone.
 */
export function runText(result: string, { runId, usage, tookMs }: Ended): string {
  if (runId === undefined) return result;
  const paid = usage === undefined ? tookWords(tookMs ?? 0) : costLine(usage, tookMs);
  return `${result.trimEnd()}\n\n${BEHIND}${runId}\n${paid}`;
}

/** Follows the id of a run that came to no result. */
const KEEPS = ' keeps what is done: nexus://runs/';

/** What a run came to that has no result, and below that where it is gone on with, and what it cost so far. */
export function failedRunText(what: string, run: Run): string {
  const { id, usage } = run;
  // What it came to may end with a list, or without a stop.
  return `${what}\nRun ${id}${KEEPS}${id} and \`nexus runs ${id}\` show it, resume_run goes on from there.\nSo far: ${costLine(usage, tookMsOf(run))}`;
}

/** What {@link failedRunText} has below what the run came to, for who may not tell that; empty where it has none. */
export function wayOnText(text: string): string {
  const keeps = text.lastIndexOf(KEEPS);
  return keeps < 0 ? '' : text.slice(text.lastIndexOf('\nRun ', keeps) + 1);
}

/** The result alone, or what there is in its place, for who says the rest in a place of its own. */
export function withoutRunText(text: string): string {
  const behind = text.lastIndexOf(`\n\n${BEHIND}`);
  if (behind >= 0) return text.slice(0, behind);
  const keeps = text.lastIndexOf(KEEPS);
  return keeps < 0 ? text : text.slice(0, text.lastIndexOf('\nRun ', keeps));
}

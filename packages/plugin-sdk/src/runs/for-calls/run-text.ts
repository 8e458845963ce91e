import { type Asked, costLine, tookWords } from '../../models/usage.ts';

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

/** The result alone, for who says the rest in a place of its own. */
export function withoutRunText(text: string): string {
  const at = text.lastIndexOf(`\n\n${BEHIND}`);
  return at < 0 ? text : text.slice(0, at);
}

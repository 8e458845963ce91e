import { READING_KIT } from './reading-kit.ts';

/** A tool that the author of an answer called. */
export interface Called {
  readonly name: string;
  readonly isError?: boolean;
}

/**
 * What the author of an answer did beside reading, in a sentence of Nexus's own: whatever the answer says, in any
 * words, nothing else was run for it.
 */
export function calledText(calls: readonly Called[]): string {
  const reads: readonly string[] = READING_KIT;
  const others = calls.filter(({ name }) => !reads.includes(name));
  if (others.length === 0) return 'Nothing was run for this answer.';
  const names = new Set(
    others.map(({ name, isError }) => `\`${asName(name)}\`${isError ? ' (failed)' : ''}`),
  );
  return `For this answer, beside reading, was called: ${[...names].join(', ')}. Nothing else was run.`;
}

/** Of Nexus's own beside the kit: they look up, and run nothing of a project. */
const LOOKS_UP: readonly string[] = [...READING_KIT, 'memory_query', 'research_query'];

/** Whether nothing was called by which anything can have been run. */
export function hasRunNothing(calls: readonly Called[]): boolean {
  return calls.every(({ name }) => LOOKS_UP.includes(name));
}

/** Who named a tool says nothing in this sentence beside its name. */
function asName(name: string): string {
  return name.replace(/[^\w.:/-]/g, '_');
}

/** Words of any answer that may be about something that was run: where they are about something else, no harm is done. */
const OF_RUNNING =
  /\b(?:re-?r[au]n|r[au]n(?:s|ning)?|execut\w{1,9}|tests?|tested|testing|suite|builds?|built|compile[sd]?|REPL|tried|verified|confirmed|printed|green|ausgeführt|getestet)\b/i;

/** Whether an answer may say that something was run. */
export function speaksOfRunning(answer: string): boolean {
  return OF_RUNNING.test(answer);
}

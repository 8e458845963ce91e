import type { Carried } from '@nexus/engine';
import { visibleLine } from '@nexus/untrusted/shown';
import { questionLines } from '../terminal/question-lines.ts';
import { shownId } from '../terminal/short-id.ts';

/** The exit code of what waits for a person or a time: as `sysexits.h` has what is to be tried again. */
export const WAITS = 75;
export const INTERRUPTED = 130;

/** What takes longer than a person notices is said. */
const SAY_AFTER_MS = 500;

const write = (line: string) => void process.stderr.write(`${visibleLine(line)}\n`);

/**
 * Goes on with runs in this process, where no server does, and says what came of each.
 * @param signal ends it, and leaves them on record as they are
 * @param of the run, or the job, that it is about, where it is one
 * @param say takes what came of them; what is said meanwhile goes to stderr
 * @returns the exit code
 */
export async function carryHere(
  carry: (signal: AbortSignal) => Promise<readonly Carried[]>,
  {
    signal,
    of,
    say,
  }: { readonly signal: AbortSignal; readonly of: string | undefined; say(line: string): void },
): Promise<number> {
  const what = of === undefined ? 'it' : shownId(of);
  const resume = `\`nexus runs resume ${of === undefined ? '<id>' : what}\``;
  const saying = setTimeout(
    () =>
      write(
        `No server of the project runs: this command goes on with ${what}. Ctrl-C leaves it on record, for the next server or ${resume}.`,
      ),
    SAY_AFTER_MS,
  );
  try {
    const all = await carry(signal);
    clearTimeout(saying);
    for (const carried of all) for (const line of outcomeLines(carried)) say(line);
    return Math.max(0, ...all.map(exitCode));
  } catch (error) {
    if (!signal.aborted) throw error;
    write(`It is left on record: ${resume} goes on with it, and so does the next server.`);
    return INTERRUPTED;
  } finally {
    clearTimeout(saying);
  }
}

/** The same for a command that has no other use of Ctrl-C. */
export async function untilInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  try {
    return await work(interrupt.signal);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

function exitCode({ run, why }: Carried): number {
  if (why === 'asks' || why === 'waits') return WAITS;
  return why === 'elsewhere' || run.status === 'completed' ? 0 : 1;
}

function outcomeLines({ run, why, until }: Carried): string[] {
  const { asks = [] } = run;
  const id = shownId(run.id);
  const said = run.message === undefined ? '' : `: ${run.message}`;
  switch (why) {
    case 'over':
      return `${id} is ${run.status}${run.status === 'failed' ? said : '.'}`.split('\n').map(visibleLine);
    case 'paused':
      return `${id} is paused${said}`.split('\n').map(visibleLine);
    case 'asks':
      return [`${id} waits for a person:`, ...asks.flatMap((question) => ['', ...questionLines(question)])];
    case 'waits':
      return [
        until === undefined
          ? visibleLine(`${id} waits${said.split('\n', 1)[0]}`)
          : `${id} waits until ${until}; a server that runs then, or \`nexus runs resume ${id}\`, goes on with it.`,
      ];
    case 'elsewhere':
      return [`${id} goes on in another process of the project.`];
    case 'unknown':
      return [
        `${id} waits for a server that has the plugin of all its parts; \`nexus runs ${id}\` shows them.`,
      ];
  }
}

import type { Carried, CarryOptions } from '@nexus/engine';
import type { Run } from '@nexus/plugin-sdk';
import { visibleLine } from '@nexus/untrusted/shown';
import { say as sayBeside } from '../terminal/output.ts';
import { questionLines } from '../terminal/question-lines.ts';
import { shownId } from '../terminal/short-id.ts';

/** The exit code of what waits for a person or a time: as `sysexits.h` has what is to be tried again. */
export const WAITS = 75;
export const INTERRUPTED = 130;

/** What takes longer than a person notices is said. */
const SAY_AFTER_MS = 500;

export interface CarryHere {
  /** Ends it, and leaves them on record as they are. */
  readonly signal: AbortSignal;
  /** The run, or the job, that it is about, where it is one. */
  readonly of: string | undefined;
  /** A run as the person was told of it already: nothing is said of it unless more has come of it. */
  readonly told?: Pick<Run, 'id' | 'status'> | undefined;
  /** Takes what came of them; what is said meanwhile goes to stderr. */
  say(line: string): void;
}

/**
 * Goes on with runs in this process, where no server does, and says what came of each.
 * @returns the exit code
 */
export async function carryHere(
  carry: (how: CarryOptions) => Promise<readonly Carried[]>,
  { signal, of, told, say }: CarryHere,
): Promise<number> {
  const what = of === undefined ? 'it' : shownId(of);
  const resume = `\`nexus runs resume ${of === undefined ? '<id>' : what}\``;
  using work = longWork(() =>
    sayBeside(
      `No server of the project runs: this command goes on with ${what}. Ctrl-C leaves it on record, for the next server or ${resume}.`,
    ),
  );
  try {
    const all = await carry({ signal, onLook: work.onLook });
    const news = all.filter(({ run }) => run.id !== told?.id || run.status !== told.status);
    for (const carried of news) for (const line of outcomeLines(carried)) say(line);
    return Math.max(0, ...all.map(exitCode));
  } catch (error) {
    if (!signal.aborted) throw error;
    // The terminal has shown the keys that ended it, on the row where this would begin.
    if (process.stderr.isTTY) sayBeside('');
    sayBeside(`It is left on record: ${resume} goes on with it, and so does the next server.`);
    return INTERRUPTED;
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

/** Says once that something is being done, where that is so for longer than a person does not notice. */
function longWork(sayOnce: () => void) {
  const doing = new Set<string>();
  let saying: NodeJS.Timeout | undefined;
  let isSaid = false;
  return {
    onLook(id: string, isDoing: boolean): void {
      if (isDoing) doing.add(id);
      else doing.delete(id);
      if (doing.size === 0) {
        clearTimeout(saying);
        saying = undefined;
      } else if (!isSaid)
        saying ??= setTimeout(() => {
          isSaid = true;
          sayOnce();
        }, SAY_AFTER_MS);
    },
    [Symbol.dispose]: () => clearTimeout(saying),
  };
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

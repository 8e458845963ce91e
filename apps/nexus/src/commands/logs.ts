import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { logFileIn, olderLogFile } from '../log-file.ts';
import { LOG_LEVELS } from '../log-level.ts';
import { untilInterrupted } from '../runs/carry.ts';
import { locate } from '../server/locate.ts';
import { isWanted, type LogFilter, type LogRecord, runMeant } from '../terminal/log-filter.ts';
import { logLine } from '../terminal/log-line.ts';
import { fail, print, say } from '../terminal/output.ts';
import { type Command, configOption, jsonOption, limit, limitOption, type Options, text } from './command.ts';

const LEVELS = LOG_LEVELS.filter((level) => level !== 'silent');
const LOOK_MS = 500;

export const logs: Command = {
  usage: 'logs',
  summary: 'show what the servers of the project have logged, whichever host started them',
  options: [
    { flags: '--follow', description: 'also show what comes, until Ctrl-C' },
    { flags: '--call <id>', description: 'only of a request or trace, by the beginning of its id' },
    { flags: '--run <id>', description: 'only of a run or job, by the beginning of its id' },
    { flags: '--server <name>', description: 'only of this server of a toolbox' },
    {
      flags: '--level <level>',
      description: `only ${LEVELS.join(', ')} and anything worse`,
      choices: LEVELS,
    },
    jsonOption,
    limitOption,
    configOption,
  ],
  examples: ['logs', 'logs --follow', 'logs --server github --level error', 'logs --run run_0f12ab34'],
  async run(_args, options) {
    const level = text(options, 'level');
    const at = LEVELS.indexOf(level as (typeof LEVELS)[number]);
    const file = logFileIn(locate(text(options, 'config')).dataDir);
    const files = [olderLogFile(file), file].filter((each) => existsSync(each));
    const logged = files.flatMap((each) => readFileSync(each, 'utf8').split('\n'));
    const call = text(options, 'call');
    if (call?.trim() === '') return fail('--call needs the beginning of the id of a request or trace');
    const written = text(options, 'run');
    const meant = written === undefined ? undefined : runMeant(written, logged.flatMap(recordIn));
    if (meant && 'fault' in meant) return fail(meant.fault);
    const filter: LogFilter = {
      call,
      run: meant?.id,
      server: text(options, 'server'),
      least: (at + 1) * 10 + 10,
    };
    const show = (texts: readonly string[]) => {
      const lines = texts.flatMap((line) => shown(line, filter, options));
      if (lines.length > 0) print(lines);
    };
    const newest = logged.filter((line) => shown(line, filter, options).length > 0).slice(-limit(options));
    if (newest.length === 0 && options.follow !== true) {
      // Of JSON Lines, none is an empty output.
      const tell = options.json === true ? say : (line: string) => print([line]);
      tell(
        files.length === 0
          ? `Nothing was logged yet in ${file}: servers log warnings and errors, and with NEXUS_LOG_LEVEL=debug all they do.`
          : 'Nothing that was logged fits.',
      );
      return 0;
    }
    show(newest);
    if (options.follow === true) await untilInterrupted((signal) => follow(file, show, signal));
    return 0;
  },
};

/** None for what is no record, or not asked for. */
function shown(line: string, filter: LogFilter, { json }: Options): string[] {
  return recordIn(line)
    .filter((record) => isWanted(record, filter))
    .map((record) => (json === true ? line : logLine(record, { hasColour: false })));
}

function recordIn(line: string): LogRecord[] {
  try {
    const record = JSON.parse(line) as LogRecord; // checked by nobody: each member is looked at for itself
    return typeof record === 'object' && record !== null ? [record] : [];
  } catch {
    return [];
  }
}

/** What is appended from now on; a file that was put aside is followed by the one in its place. */
async function follow(
  file: string,
  show: (lines: readonly string[]) => void,
  signal: AbortSignal,
): Promise<void> {
  let from = sizeOf(file);
  let part = '';
  try {
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal });
      const size = sizeOf(file);
      if (size < from) from = 0;
      if (size === from) continue;
      const bytes = Buffer.alloc(size - from);
      const descriptor = openSync(file, 'r');
      try {
        from += readSync(descriptor, bytes, 0, bytes.length, from);
      } finally {
        closeSync(descriptor);
      }
      const lines = (part + bytes.toString('utf8')).split('\n');
      part = lines.pop() ?? '';
      show(lines);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

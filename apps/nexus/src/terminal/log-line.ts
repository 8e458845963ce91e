import { styleText } from 'node:util';
import { visibleLine } from '@nexus/untrusted/shown';

/** What of a log record is said by other means, or says nothing to a person. */
const UNSAID: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'msg', 'err']);
const NAMES = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error' } as const;
const COLOURS = { debug: 'gray', info: 'cyan', warn: 'yellow', error: 'red' } as const;

type LogRecord = Readonly<Record<string, unknown>>;

/** One record of the log, as pino writes it, as a line for a person: `12:03:59 warn  what happened  key=value`. */
export function logLine(record: LogRecord, { hasColour }: { readonly hasColour: boolean }): string {
  const name = NAMES[record.level as keyof typeof NAMES] ?? 'info';
  const level = name.padEnd(5);
  const fields = Object.entries(record)
    .filter(([key, value]) => !UNSAID.has(key) && value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const [time] = String(record.time).slice(11).split('.');
  return [
    time,
    hasColour ? styleText(COLOURS[name], level, { validateStream: false }) : level,
    visibleLine([record.msg, ...fields, ...cause(record)].join('  ')),
  ].join(' ');
}

/** The error's own words; its stack stands in the log that is written elsewhere. */
function cause({ err }: LogRecord): string[] {
  if (typeof err !== 'object' || err === null) return err === undefined ? [] : [String(err)];
  return 'message' in err ? [`(${String(err.message)})`] : [];
}

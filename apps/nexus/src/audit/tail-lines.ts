import { table } from '../terminal/table.ts';

/** One event of a trail, as far as a person is shown it. */
interface Shown {
  readonly at: string;
  readonly kind: string;
  readonly writer: string;
  readonly seq: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Of a writer, enough to tell it from the others. */
const WRITER_CHARS = 8;
/** What stands in columns of its own, or says nothing to a person. */
const UNSAID = new Set(
  [
    ['tool', 'arguments', 'trace', 'session', 'isNested', 'ok', 'code', 'intent', 'texts'],
    ['hash', 'key', 'product', 'project', 'root'],
  ].flat(),
);

/** The end of a trail as a table, the newest last. A call and its outcome are one row, where both are there. */
export function tailLines(events: readonly Shown[]): string[] {
  const outcomes = new Map<string, Shown>();
  for (const event of events) {
    if (event.kind === 'call.outcome') outcomes.set(keyOf(event, event.data.intent), event);
  }
  const intents = new Set(events.filter(isIntent).map((event) => keyOf(event, event.seq)));
  const rows = events
    .filter((event) => event.kind !== 'call.outcome' || !intents.has(keyOf(event, event.data.intent)))
    .map((event) => {
      const ended = isIntent(event) ? outcomes.get(keyOf(event, event.seq)) : event;
      const about = Object.entries(event.data).flatMap(([name, value]) =>
        UNSAID.has(name) || typeof value === 'object' ? [] : [`${name}=${String(value)}`],
      );
      return [
        `${event.at.slice(0, 10)} ${event.at.slice(11, 19)}`,
        event.writer.slice(0, WRITER_CHARS),
        event.kind,
        toolOf(event),
        outcomeOf(event, ended),
        about.join(' '),
      ];
    });
  return table(['TIME (UTC)', 'WRITER', 'WHAT', 'TOOL', 'OUTCOME', 'ABOUT'], rows);
}

const isIntent = ({ kind }: Shown) => kind === 'call.intent';
const keyOf = ({ writer }: Shown, seq: unknown) => `${writer} ${String(seq)}`;

function toolOf({ kind, data }: Shown): string {
  if (typeof data.tool === 'string') return data.tool;
  return kind === 'call.outcome' ? `(of event ${String(data.intent)})` : '-';
}

function outcomeOf(event: Shown, ended: Shown | undefined): string {
  if (isIntent(event) && !ended) return 'none yet';
  if (ended?.kind !== 'call.outcome') return '-';
  return ended.data.ok === true ? 'ok' : String(ended.data.code ?? 'failed');
}

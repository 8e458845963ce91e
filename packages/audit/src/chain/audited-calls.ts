import { setImmediate } from 'node:timers/promises';
import type { AuditedCall } from '@nexus/plugin-sdk';
import { chainLines } from './read-trail.ts';

/** So many lines are read at once, while nobody else has a turn. */
const LINES_AT_ONCE = 500;

/** The calls that began since, each once its outcome is read, or at the end of the trail. Nothing is verified. */
export async function* auditedCalls(trail: string, moment: number): AsyncGenerator<AuditedCall, void> {
  const since = new Date(moment).toISOString();
  const open = new Map<string, AuditedCall>();
  let lines = 0;
  for (const text of chainLines(trail)) {
    lines += 1;
    if (lines % LINES_AT_ONCE === 0) await setImmediate();
    const line = eventOf(text);
    if (!line || line.at < since) continue;
    const { writer, seq, at, kind, data } = line;
    if (kind === 'call.intent') {
      const { tool, run } = data;
      if (typeof tool !== 'string') continue;
      const known = { tool, startMs: Date.parse(at), endMs: undefined, code: undefined };
      open.set(`${writer} ${seq}`, { ...known, run: typeof run === 'string' ? run : undefined });
    } else if (kind === 'call.outcome') {
      const key = `${writer} ${String(data.intent)}`;
      const call = open.get(key);
      if (!call) continue;
      open.delete(key);
      yield { ...call, endMs: Date.parse(at), code: typeof data.code === 'string' ? data.code : undefined };
    }
  }
  yield* open.values();
}

interface ReadEvent {
  readonly writer: string;
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function eventOf(text: string): ReadEvent | undefined {
  // Most lines are neither: they need not be read.
  if (!text.includes('"kind":"call.')) return undefined;
  try {
    const { writer, seq, at, kind, data } = JSON.parse(text) as Partial<ReadEvent>;
    if (typeof writer !== 'string' || typeof seq !== 'number' || typeof at !== 'string') return undefined;
    return typeof kind === 'string' && typeof data === 'object' && data
      ? { writer, seq, at, kind, data }
      : undefined;
  } catch {
    return undefined;
  }
}

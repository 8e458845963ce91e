import type { TraceRecord } from '@nexus/plugin-sdk';
import { cutEnd } from '@nexus/primitives';
import { visibleLine } from '@nexus/untrusted/shown';

/** How a bar says what was done meanwhile; without colours, too. */
const WORK = '█';
const WAIT = '░';
const MIN_BAR = 10;
/** ` 12.3 s `, in the middle of a line. */
const TIME_WIDTH = 9;

/**
 * A trace as a timeline: a line a span under the one that it is part of, in the order of their beginning, with a bar where
 * it stands in the whole. What only waits is drawn apart from what works.
 * @param columns of the terminal
 */
export function traceLines(spans: readonly TraceRecord[], columns: number): string[] {
  const [first] = spans;
  if (!first) return [];
  const startMs = Math.min(...spans.map((span) => span.startMs));
  const endMs = Math.max(...spans.map((span) => span.endMs));
  const names = Math.max(20, Math.floor((columns - TIME_WIDTH) / 2));
  const width = Math.max(MIN_BAR, columns - names - TIME_WIDTH - 2);
  const lines = nested(spans).map(({ span, depth }) => {
    const mark = span.error === undefined && span.attributes['error.type'] === undefined ? ' ' : '✗';
    const text = cutEnd(`${'  '.repeat(Math.min(depth, 8))}${labelOf(span)}`, names - 2);
    return `${mark} ${text.padEnd(names - 2)} ${timeText(span.endMs - span.startMs).padStart(TIME_WIDTH - 1)} ${bar(span, { startMs, endMs, width })}`.trimEnd();
  });
  return [
    ...lines,
    '',
    `${timeText(endMs - startMs)} in all; ${WORK} works, ${WAIT} waits${lines.some((line) => line.startsWith('✗')) ? ', ✗ failed' : ''}.`,
  ];
}

interface Nested {
  readonly span: TraceRecord;
  readonly depth: number;
}

/** Depth first; a span whose parent is not here stands at the top. */
function nested(spans: readonly TraceRecord[]): Nested[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const children = new Map<string | undefined, TraceRecord[]>();
  for (const span of spans) {
    const parent = span.parentId !== undefined && known.has(span.parentId) ? span.parentId : undefined;
    const siblings = children.get(parent) ?? [];
    siblings.push(span);
    children.set(parent, siblings);
  }
  const found: Nested[] = [];
  // A file may be anybody's work: no span is drawn twice, whoever it says that its parent is.
  const drawn = new Set<TraceRecord>();
  const tops = children.get(undefined) ?? [];
  // Those that are one another's part have no top: they stand there themselves.
  for (const top of [...tops, ...spans]) {
    const left: Nested[] = [{ span: top, depth: 0 }];
    for (let next = left.pop(); next; next = left.pop()) {
      if (drawn.has(next.span)) continue;
      drawn.add(next.span);
      found.push(next);
      left.push(...topFirst(children.get(next.span.spanId) ?? [], next.depth + 1));
    }
  }
  return found;
}

const topFirst = (spans: readonly TraceRecord[], depth: number): Nested[] =>
  spans.map((span) => ({ span, depth })).reverse();

function labelOf({ name, attributes }: TraceRecord): string {
  const attempt = attributes['nexus.step.attempt'];
  const again = typeof attempt === 'number' && attempt > 1 ? ` (attempt ${attempt})` : '';
  return visibleLine(`${name}${again}`);
}

function bar(
  { type, startMs, endMs }: TraceRecord,
  whole: { readonly startMs: number; readonly endMs: number; readonly width: number },
): string {
  const scale = whole.width / Math.max(1, whole.endMs - whole.startMs);
  const at = Math.min(whole.width - 1, Math.floor((startMs - whole.startMs) * scale));
  const length = Math.min(whole.width - at, Math.max(1, Math.round((endMs - startMs) * scale)));
  return `${' '.repeat(at)}${(type === 'wait' ? WAIT : WORK).repeat(length)}`;
}

/** `12 ms`, `3.4 s`, `5 min`. */
function timeText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${(ms / 60_000).toFixed(1)} min`;
}

import { answerRoom, jsonLength, type Results } from '@nexus/plugin-sdk';
import { visibleContent } from '@nexus/primitives';
import { MAX_LINE_CHARACTERS } from '../files/cut-line.ts';
import { byFile, sayNotes, sayPage, sayUnread } from './say.ts';

export interface Hit {
  readonly file: string;
  readonly line?: number | undefined;
  readonly text: string;
  /** As `41- text`. */
  readonly context: readonly string[];
  readonly symbol?: string | undefined;
  readonly kind?: string | undefined;
}

interface Hits {
  readonly hits: readonly Hit[];
  readonly total: number;
  readonly totalIsLowerBound?: boolean | undefined;
  readonly nextOffset?: number | undefined;
  readonly unread?: Parameters<typeof sayUnread>[0];
  readonly notes?: readonly string[] | undefined;
}

/** Of a line that a hit shows: two of them have room, as text and as structure, however little a host shows. */
export function hitLineChars(results: Pick<Results, 'maxChars'>): number {
  return Math.min(MAX_LINE_CHARACTERS, Math.floor(answerRoom(results) / 5));
}

/** A hit with as many of the lines around it as have room, the nearest first. @param room of text and structure */
export function withNearest(hit: Hit, room: number): Hit {
  const lineOf = (each: string) => Math.abs(Number.parseInt(each, 10) - (hit.line ?? 0));
  let around = hit.context;
  const cost = () => jsonLength({ ...hit, context: around }) + hitLength({ ...hit, context: around });
  while (around.length > 0 && cost() > room) {
    const farthest = around.reduce((far, each) => (lineOf(each) > lineOf(far) ? each : far));
    around = around.filter((each) => each !== farthest);
  }
  return { ...hit, context: [...around] };
}

/** What of the text one hit takes, at most. */
export function hitLength({ file, text, context, symbol = '' }: Hit): number {
  return context.reduce(
    (sum, each) => sum + visibleContent(each).length + 1,
    file.length + symbol.length + visibleContent(text).length + 30,
  );
}

/** Hits as a model reads them: each file once, its lines in order and none of them twice, gaps marked. */
export function hitsText({ hits, total, totalIsLowerBound, nextOffset, unread, notes = [] }: Hits): string {
  const page = sayPage('hit', { shown: hits.length, total, isLowerBound: totalIsLowerBound, nextOffset });
  const head = total === 0 ? ['No hit.', ...sayNotes(notes)] : [page, ...sayNotes(notes)];
  const files = [...byFile(hits)].map(([file, found]) => fileText(file, found));
  const isListOfPaths = hits.every(({ line }) => line === undefined);
  const body = isListOfPaths ? [files.join('\n')].filter((text) => text !== '') : files;
  return [head.join('\n'), ...sayUnread(unread), ...body].join('\n\n');
}

function fileText(file: string, hits: readonly Hit[]): string {
  const lines = new Map<number, string>();
  for (const { context } of hits) {
    for (const each of context) {
      const [, line, text] = /^(\d+)- ([\s\S]*)$/.exec(each) ?? [];
      if (line !== undefined) lines.set(Number(line), `${line}-${text}`);
    }
  }
  // After them: a line between two hits is a hit itself.
  for (const hit of hits) if (hit.line !== undefined) lines.set(hit.line, `${hit.line}:${saidOf(hit)}`);
  const said: string[] = [];
  let before: number | undefined;
  const hasContext = hits.some(({ context }) => context.length > 0);
  for (const [line, text] of [...lines].sort(([a], [b]) => a - b)) {
    if (hasContext && before !== undefined && line > before + 1) said.push('--');
    said.push(visibleContent(text));
    before = line;
  }
  return [file, ...said].join('\n');
}

/** A symbol's own line says its signature; what it is called and where it belongs stand before it. */
function saidOf({ text, symbol, kind }: Hit): string {
  return symbol === undefined ? text : `${kind} ${symbol}: ${text}`;
}

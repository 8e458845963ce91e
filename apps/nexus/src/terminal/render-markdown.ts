import { visibleText } from '@nexus/untrusted/shown';
import { showMarks, styled, unstyled } from './inline-marks.ts';
import { isTable, isTableRow, renderTable } from './render-table.ts';
import { outputColumns } from './window-size.ts';
import { wrap } from './wrap.ts';

export interface RenderOptions {
  readonly columns: number;
  /** `source`: as it was written, for a pipe or a file; `plain`: for a terminal that has no styles. */
  readonly look: 'styled' | 'plain' | 'source';
}

type Stream = Parameters<typeof outputColumns>[0] & { hasColors?(): boolean };

/** How a stream shows it: as it was written to a pipe or a file. */
export function markdownLook(
  stream: Stream,
  { NO_COLOR }: Readonly<Record<string, string | undefined>> = process.env,
): RenderOptions {
  const columns = outputColumns(stream);
  if (columns === undefined) return { columns: Number.POSITIVE_INFINITY, look: 'source' };
  return { columns, look: stream.hasColors?.() === true && !NO_COLOR ? 'styled' : 'plain' };
}

/**
 * Markdown on a terminal, as it streams; what the model wrote can't steer the terminal. Nothing is shown before it is
 * whole (a line, a table), so what is shown does not depend on where the stream was cut.
 */
export interface MarkdownRenderer {
  /** What can be shown now. */
  push(text: string): string;
  /** The rest. */
  end(): string;
}

export function markdownRenderer({ columns, look }: RenderOptions): MarkdownRenderer {
  const paint = look === 'styled' ? styled : unstyled;
  let pending = '';
  /** The marks that opened a block of code. */
  let fence: string | undefined;
  let tableLines: string[] = [];

  /** All that a line lets be shown: what waited for it, and itself. */
  function take(raw: string): string[] {
    const line = visibleText(raw.endsWith('\r') ? raw.slice(0, -1) : raw);
    if (look === 'source') return [line];
    if (fence === undefined && isTableRow(line)) {
      tableLines.push(line);
      return [];
    }
    return [...endTable(), ...lineRows(line)];
  }

  function endTable(): string[] {
    const lines = tableLines;
    tableLines = [];
    return isTable(lines) ? renderTable(lines, columns, paint) : lines.flatMap(proseRows);
  }

  function lineRows(line: string): string[] {
    const [, marks, info = ''] = /^\s*(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(line) ?? [];
    if (fence === undefined && marks !== undefined && !(marks.startsWith('`') && info.includes('`'))) {
      fence = marks;
      return [paint('dim', line)];
    }
    if (fence === undefined) return proseRows(line);
    if (marks?.startsWith(fence) && info.trim() === '') {
      fence = undefined;
      return [paint('dim', line)];
    }
    return [paint('cyan', line)];
  }

  function proseRows(line: string): string[] {
    const heading = /^#{1,6}\s(.*)$/.exec(line);
    if (heading)
      return wrap(showMarks((heading[1] ?? '').trimStart(), paint), columns).map((each) =>
        paint('bold', each),
      );
    const before = /^(?:\s*(?:[-*+]|\d+[.)])\s+|\s*>\s?|\s+)?/.exec(line)?.[0] ?? '';
    const rest = line.slice(before.length);
    const bullet = before.replace(/^(\s*)[*+-](\s)/, '$1•$2');
    // In style before it is broken, so that what is strong across a line break is so in both rows.
    const [first = '', ...more] = wrap(showMarks(rest, paint), Math.max(10, columns - bullet.length));
    const hang = /^\s*>/.test(bullet) ? bullet : ' '.repeat(bullet.length);
    return [bullet + first, ...more.map((each) => hang + each)];
  }

  const written = (rows: readonly string[]) => rows.map((row) => `${row}\n`).join('');

  return {
    push(text) {
      const lines = (pending + text).split('\n');
      pending = lines.pop() ?? '';
      return written(lines.flatMap(take));
    },
    end() {
      const rows = pending === '' ? [] : take(pending);
      const rest = written([...rows, ...endTable()]);
      pending = '';
      fence = undefined;
      return rest;
    },
  };
}

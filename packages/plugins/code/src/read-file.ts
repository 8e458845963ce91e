import { type CallContext, defineTool, nearestNames, ToolError, textRoom } from '@nexus/plugin-sdk';
import { OWN_SENTENCES, visibleContent, visibleLine, visibleName } from '@nexus/primitives';
import { z } from 'zod';
import { type LineRange, linePart, linesOf, numberedLines } from './files/numbered-lines.ts';
import { readText } from './files/read-text.ts';
import { sayReadAs } from './files/say-read-as.ts';
import type { LocalSymbol } from './parsing/task.ts';
import { displayPath } from './roots/display-path.ts';
import { locateFile } from './roots/locate-file.ts';
import type { CodeState } from './state.ts';
import { requireLanguage } from './syntax/languages.ts';

interface Part {
  /** The symbol that was asked for. */
  readonly of?: string;
  readonly range: LineRange;
}

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read a file',
  description:
    'Read a text file as numbered lines: all of it, a range of lines, or one symbol whole. What does not fit is said, with the lines to go on from.',
  input: z.object({
    path: z
      .string()
      .min(1)
      .max(4_096)
      .describe('The file, relative to the project or absolute.')
      .meta({ examples: ['src/index.ts'] }),
    lines: z
      .string()
      .max(30)
      .regex(
        /^\d{1,9}(?:-\d{0,9}|:\d{1,9})?$/,
        'must be a line or a range: 40, 40-80 or 40-; or 40:2001, line 40 from a character on',
      )
      .optional()
      .describe('By number from 1: 40-80, 40- on, 40:2001 from that character.'),
    symbol: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe('A declaration in it instead of lines: name or Parent.name.'),
  }),
  aliases: { file: 'path', filename: 'path', offset: 'lines', startLine: 'lines', range: 'lines' },
  output: z.object({ content: z.array(z.object({ type: z.literal('text'), text: z.string() })) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  answersWholeResult: true,
  async call({ path: typed, lines: range, symbol }, context: CallContext<CodeState>) {
    if (range !== undefined && symbol !== undefined) {
      const text = 'read_file takes lines or symbol; both came. Leave one out.';
      throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
    }
    const { path, kind } = await locateFile(typed, context);
    if (kind === 'directory') {
      const text = `${visibleLine(typed)} is a folder. list_files with it as directory lists its files.`;
      throw new ToolError('NEXUS_FILE_UNREADABLE', text);
    }
    const displayed = displayPath(context.host.projectRoot, path);
    const shown = visibleLine(displayed);
    const { text, readAs } = await readText(path, { shown, maxBytes: context.state.maxFileBytes });
    const lines = linesOf(text);
    const name = visibleName(displayed);
    const said = (body: string) => ({
      content: [{ type: 'text' as const, text: readAs ? `${sayReadAs(name, readAs)}\n${body}` : body }],
    });
    const place = /^(\d+):(\d+)$/.exec(range ?? '');
    const room = textRoom(context.host.results);
    if (place) return said(sayPlace(name, lines, { line: Number(place[1]), column: Number(place[2]), room }));
    const parts =
      symbol === undefined
        ? [{ range: rangeOf(range, { shown, total: lines.length }) }]
        : await partsOf({ path, shown, symbol }, context);
    return said(sayParts(name, lines, { parts, room }));
  },
});

/** One line from a character on. */
function sayPlace(
  shown: string,
  lines: readonly string[],
  { line, column, room }: { readonly line: number; readonly column: number; readonly room: number },
): string {
  const whole = lines[line - 1];
  if (whole === undefined || column < 1 || column > whole.length) {
    const has =
      whole === undefined
        ? `${shown} has ${counted(lines.length)}`
        : `line ${line} of ${shown} has ${whole.length} characters`;
    const text = `${has}, so "${line}:${column}" names none of them. The first character of its first line is "1:1".`;
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
  }
  const { text, next } = linePart(whole, column, room);
  const rest = next <= whole.length ? OWN_SENTENCES.restOfLine(line, next) : '';
  return `${shown}: line ${line}, characters ${column} to ${next - 1} of ${whole.length}.${rest}\n${text}`;
}

function sayParts(
  shown: string,
  lines: readonly string[],
  { parts, room }: { readonly parts: readonly Part[]; readonly room: number },
): string {
  const total = counted(lines.length);
  if (lines.length === 0) return `${shown} is empty.`;
  let left = room;
  const said: string[] = [];
  for (const { of, range } of parts) {
    const { text, last } = numberedLines(lines, range, left);
    left -= text.length;
    const to = Math.min(range.to, lines.length);
    const what = of === undefined ? '' : `${visibleContent(of)}, `;
    const rest = last < to ? OWN_SENTENCES.restOfLines(last + 1, to, last + 1, to) : '';
    said.push(`${shown}: ${what}lines ${range.from} to ${last} of ${total}.${rest}\n${text}`);
    if (left <= 0) break;
  }
  const unsaid = parts
    .slice(said.length)
    .map(({ of = '', range: { from, to } }) => `${visibleContent(of)} (lines ${from}-${to})`);
  return [...said, ...(unsaid.length > 0 ? [OWN_SENTENCES.partsBehind(unsaid.join(', '))] : [])].join('\n\n');
}

function counted(lines: number): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
}

/** @throws {ToolError} NEXUS_INVALID_ARGUMENTS for a range that the file does not have */
function rangeOf(range: string | undefined, { shown, total }: { shown: string; total: number }): LineRange {
  if (range === undefined) return { from: 1, to: total };
  const [first = '', second] = range.split('-');
  const from = Number(first);
  const to = second === undefined ? from : second === '' ? total : Number(second);
  if (from >= 1 && from <= total && to >= from) return { from, to };
  const text = `${shown} has ${counted(total)}, so "${range}" names none of them. The first is 1, as in "1-${Math.max(1, total)}".`;
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
}

/** @throws {ToolError} NEXUS_NOT_FOUND with the nearest names */
async function partsOf(
  { path, shown, symbol }: { path: string; shown: string; symbol: string },
  { state, signal }: CallContext<CodeState>,
): Promise<Part[]> {
  requireLanguage(shown);
  const symbols = await symbolsOf({ path, shown }, { state, signal });
  const found = symbols.filter((each) => each.name === symbol || fullName(each) === symbol);
  if (found.length > 0) {
    return found.map((each) => ({ of: fullName(each), range: { from: each.line, to: each.endLine } }));
  }
  const near = nearestNames(symbol, [...new Set(symbols.map(({ name }) => name))]);
  const hint =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'extract_symbols lists what it declares.';
  throw new ToolError('NEXUS_NOT_FOUND', `${shown} declares no ${symbol}. ${hint}`, {
    detail: { nearest: near },
  });
}

async function symbolsOf(
  { path, shown }: { path: string; shown: string },
  { state, signal }: Pick<CallContext<CodeState>, 'state' | 'signal'>,
): Promise<readonly LocalSymbol[]> {
  const want = () => ({ of: 'symbols' as const, depth: 'all' as const });
  for await (const answer of state.parsing.parse([{ path }], { want, signal })) {
    for (const parsed of answer) {
      if (parsed.status === 'parsed' && parsed.found.of === 'symbols') return parsed.found.symbols;
      if (parsed.status === 'unreadable' || parsed.status === 'failed') {
        const text = `${shown} can’t be read for its symbols: ${parsed.reason}. Read it by lines.`;
        throw new ToolError('NEXUS_FILE_UNREADABLE', text);
      }
    }
  }
  return [];
}

function fullName({ name, parent }: LocalSymbol): string {
  return parent === null ? name : `${parent}.${name}`;
}

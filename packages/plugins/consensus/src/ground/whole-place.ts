import { type Host, readNamedFile, type ToolCaller } from '@nexus/plugin-sdk';

/** Lines around a place that lies in no declaration, or in one that is longer than anybody reads. */
const AROUND_LINES = 60;
const MAX_DECLARATION_LINES = 400;

/** Lines of a file, both ends included, from 1. */
export interface Lines {
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
}

/** As `extract_symbols` answers it. */
export interface Declared {
  readonly name: string;
  readonly line: number;
  readonly endLine: number;
}

/**
 * What stands around some lines in the project: the innermost declaration with its lines before and after, where the
 * file has one, as `read_file` shows them.
 * @returns undefined for a file that is shown to nobody because a text names it, or that can't be read
 */
export async function wholePlace(
  { file, line, endLine }: Lines,
  given: { readonly host: Host; readonly tools: ToolCaller },
): Promise<string | undefined> {
  const inner = (await declaredIn(file, given.tools))
    .filter((each) => each.line <= line && each.endLine >= endLine)
    .filter((each) => each.endLine - each.line < MAX_DECLARATION_LINES)
    .sort((a, b) => a.endLine - a.line - (b.endLine - b.line))
    // A name on one line says nothing of what it stands in.
    .find((each) => each.endLine > each.line);
  const { from, to } = inner
    ? { from: inner.line - CONTEXT_LINES, to: inner.endLine + CONTEXT_LINES }
    : { from: line - AROUND_LINES, to: endLine + AROUND_LINES };
  return readNamedFile({ path: file, lines: `${Math.max(1, from)}-${to}` }, given);
}

const CONTEXT_LINES = 5;

/** What a file declares; nothing where nobody can tell. */
export async function declaredIn(file: string, tools: ToolCaller): Promise<readonly Declared[]> {
  if (!tools.find('extract_symbols')) return [];
  const { isError, structuredContent } = await tools.call('extract_symbols', {
    arguments: { filePath: file, mode: 'full', limit: 2_000 },
  });
  const { symbols = [] } = (structuredContent ?? {}) as { symbols?: readonly Declared[] };
  return isError ? [] : symbols;
}

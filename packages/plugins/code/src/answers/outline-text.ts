import { counted, visibleContent, visibleName } from '@nexus/primitives';
import { byFile, sayNotes, sayPage, sayUnread } from './say.ts';

interface OutlinedSymbol {
  readonly file: string;
  readonly name: string;
  readonly kind: string;
  readonly signature: string;
  readonly line: number;
  readonly endLine: number;
  readonly parent: string | null;
}

interface Outline {
  readonly symbols: readonly OutlinedSymbol[];
  readonly total: number;
  readonly files: number;
  readonly nextOffset?: number | undefined;
  readonly unread?: Parameters<typeof sayUnread>[0];
  readonly syntaxFaults?: readonly { readonly file: string; readonly line: number }[] | undefined;
  readonly notes?: readonly string[] | undefined;
}

/** What of the text one declaration takes, about. */
export function symbolLength({ name, signature }: OutlinedSymbol): number {
  return visibleContent(name).length + visibleContent(signature).length + 30;
}

/** Declarations as a model reads them: each file once, what is inside of another one below it. */
export function outlineText({ symbols, total, files, nextOffset, unread, ...rest }: Outline): string {
  const { syntaxFaults = [], notes = [] } = rest;
  const page = sayPage('symbol', { shown: symbols.length, total, nextOffset });
  const head = `${page.slice(0, -1)} in ${counted(files, 'file')}.`;
  const faults = syntaxFaults.map(({ file, line }) => `${visibleName(file)}:${line}`);
  return [
    [head, ...sayNotes(notes)].join('\n'),
    ...(faults.length === 0 ? [] : [`Does not parse at ${faults.join(', ')}.`]),
    ...sayUnread(unread),
    ...[...byFile(symbols)].map(([file, found]) => [file, ...linesOf(found)].join('\n')),
  ].join('\n\n');
}

function linesOf(symbols: readonly OutlinedSymbol[]): string[] {
  const open: OutlinedSymbol[] = [];
  return symbols.map((symbol) => {
    const { name, kind, signature, line, endLine, parent } = symbol;
    while (open.length > 0 && !holds(open.at(-1), symbol)) open.pop();
    const depth = open.length;
    open.push(symbol);
    // Where its parent stands elsewhere, as a method of Go does, or is not among those that were asked for.
    const isPlaced = parent === null || open.some((each) => each !== symbol && each.name === parent);
    const lines = line === endLine ? `${line}` : `${line}-${endLine}`;
    const named = signature.includes(name) ? signature : `${name}: ${signature}`;
    const said = `${lines} ${named === name ? `${kind} ${name}` : named}${isPlaced ? '' : ` (in ${parent})`}`;
    return `${'  '.repeat(depth)}${visibleContent(said)}`;
  });
}

function holds(outer: OutlinedSymbol | undefined, { line, endLine, parent }: OutlinedSymbol): boolean {
  return outer !== undefined && outer.name === parent && outer.line <= line && endLine <= outer.endLine;
}

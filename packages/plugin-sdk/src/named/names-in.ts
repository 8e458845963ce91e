import { isOfPlatform } from './platform-names.ts';

/** A file or a symbol that a text names; `from` and `to` are where, marks of code around it included. */
export interface Name {
  readonly kind: 'file' | 'symbol';
  /** A path as it is written, or the bare name of a symbol. */
  readonly name: string;
  /** Of a file, where lines are named. */
  readonly line?: number;
  readonly endLine?: number;
  /**
   * Nothing says that it is of the project: a file in prose without a folder, which may be a product's name, as
   * `Node.js` is; a symbol that the language has, as `Math.trunc()`, that may be a value, or that prose calls with
   * arguments. {@link namesThere} decides.
   */
  readonly isBare?: true;
  /**
   * Of what was looked for and is there, the file from the root, of a bare symbol the one that declares it; absent where
   * nobody knows which of several is meant.
   */
  readonly file?: string;
  readonly from: number;
  readonly to: number;
}

/** Names beyond these are not looked at: a text with more is a list, and no statement. */
const MAX_NAMES = 200;
/** Nor is what stands behind these: some 50 000 tokens, which some 10 ms are enough for. */
const MAX_CHARS = 200_000;

const EXTENSIONS =
  'tsx?|[cm]ts|jsx?|[cm]js|py|pyi|go|rs|java|kt|kts|scala|swift|c|h|cc|cpp|hpp|cs|rb|php|sh|bash|sql|json|jsonc|json5|ya?ml|toml|ini|cfg|conf|env|md|mdx|txt|css|scss|less|html?|vue|svelte|xml|proto|graphql|gradle|lock|tf|dockerfile';
/** By which a bare name in prose is surely a file: by others, `Node.js` would be one everywhere. */
const ENDS_AS_FILE = /\.(?:mdx?|txt|json[c5]?|ya?ml|toml|ini|cfg|lock|proto|graphql|gradle)$/;
/** Lines in words, after a file and before it: `a.ts (lines 1–3)`, `a.ts, line 1`, `lines 1-3 of a.ts`. */
const LINES_AFTER = /^`?,? \(?(?:at |on |in )?lines? (\d{1,7})(?: ?(?:[-–—]|to) ?(\d{1,7}))?\b\)?/i;
const LINES_BEFORE = /\blines? (\d{1,7})(?: ?(?:[-–—]|to) ?(\d{1,7}))? (?:of|in) `?$/i;
const MAX_WORDS_CHARS = 40;
/** What paths, addresses and places in files are written with. */
const WORD = /[\w@.+\-/:#]+/g;
const MAX_WORD_CHARS = 400;
const FILE = new RegExp(
  `^([\\w@+.\\-/]+\\.(?:${EXTENSIONS}))(?:(?::|#L?)(\\d{1,7})(?::\\d{1,5})?(?:-L?(\\d{1,7}))?)?([.:]*)$`,
  'i',
);
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const CODE = /`([^`\n]{1,200})`/g;
/** A character of what is called. */
const CALLED = /[\w$.#]/;
const MAX_CALLED_CHARS = 100;
/** Nothing, or values: numbers, texts, and words of the language. */
const VALUE = String.raw`(?:-?\d[\w.]{0,30}|"[^"\n]{0,60}"|'[^'\n]{0,60}'|null|undefined|true|false|NaN|-?Infinity|\{\}|\[\])`;
const CALL = new RegExp(String.raw`\((?:${VALUE}(?:, ?${VALUE}){0,5})?\)`, 'g');
const SYMBOL = /^[a-z_$][\w$]*(?:(?:\.|::|#|\?\.)[a-z_$][\w$]*)*(\([^`]*\))?$/i;

/**
 * The files and symbols that a text names as being there, in their order. What it has in fenced code, in addresses,
 * and what it calls `new:path` is no such name.
 */
export function namesIn(text: string): Name[] {
  const shown = withoutFences(text.slice(0, MAX_CHARS));
  const files = firstOf(filesIn(shown));
  const symbols = firstOf(symbolsIn(shown, files));
  const called = firstOf(callsIn(withoutCode(shown)));
  return [...files, ...symbols, ...called].sort((a, b) => a.from - b.from).slice(0, MAX_NAMES);
}

function firstOf(names: Iterable<Name>): Name[] {
  const first: Name[] = [];
  for (const name of names) {
    first.push(name);
    if (first.length === MAX_NAMES) break;
  }
  return first;
}

function* symbolsIn(text: string, files: readonly Name[]): Generator<Name, undefined> {
  const taken = new Set(files.map(({ from }) => from));
  const lines = linesWith(text, files);
  for (const { 0: code, 1: inner = '', index } of text.matchAll(CODE)) {
    const symbol = symbolIn(inner.trim());
    if (symbol === undefined || taken.has(index) || inner.trim().startsWith('new:')) continue;
    if (isNew(text, index)) continue;
    const isBare = symbol.isBare || (symbol.isWord && isValue(text, index, lines));
    yield {
      kind: 'symbol',
      name: symbol.name,
      ...(isBare && { isBare }),
      from: index,
      to: index + code.length,
    };
  }
}

/** Before a word that is no more than one: by which it is a symbol, and by which a value. */
const SYMBOL_BEFORE =
  /\b(?:function|method|class|constant|variable|helper|option|field|property|type|interface|symbol|parameter|argument|hook|component|setting|called|named|exports?|imports?|calls?) $/i;
const VALUE_BEFORE =
  /(?:\b(?:print(?:s|ed|ing)?|return(?:s|ed|ing)?|gives?|gave|yields?|yielded|outputs?|logs?|logged|shows?|becomes?|as|equals?|is|was|text|string|value)|->|→|=>|=):? $/i;
const LITERAL = /^`(?:NaN|undefined|null|true|false|Infinity)/;
const MAX_BEFORE_CHARS = 20;

/** Whether a word between marks of code may be a value: a place beside it, or what it is called, says otherwise. */
function isValue(text: string, index: number, lines: ReadonlySet<number>): boolean {
  const before = text.slice(Math.max(0, index - MAX_BEFORE_CHARS), index);
  if (LITERAL.test(text.slice(index, index + MAX_BEFORE_CHARS)) || VALUE_BEFORE.test(before)) return true;
  return !SYMBOL_BEFORE.test(before) && !lines.has(text.lastIndexOf('\n', index));
}

/** Where the lines begin in which files are named. */
function linesWith(text: string, files: readonly Name[]): ReadonlySet<number> {
  return new Set(files.map(({ from }) => text.lastIndexOf('\n', from)));
}

/** What prose calls: `sumOf()` with nothing between the brackets, or with values. */
function* callsIn(prose: string): Generator<Name, undefined> {
  for (const { 0: brackets, index: end } of prose.matchAll(CALL)) {
    let from = end;
    while (from > 0 && end - from < MAX_CALLED_CHARS && CALLED.test(prose.charAt(from - 1))) from -= 1;
    const lead = /^_{1,2}(?=[a-z])/i.exec(prose.slice(from, end))?.[0] ?? '';
    const to = end + brackets.length;
    // Emphasis, where as much of it stands behind.
    if (lead !== '' && prose.startsWith(lead, to)) from += lead.length;
    const symbol = symbolIn(prose.slice(from, to));
    if (symbol === undefined || /[/@:-]/.test(prose.charAt(from - 1)) || isNew(prose, from)) continue;
    // With something between the brackets it may be prose.
    const isBare = symbol.isBare || brackets !== '()';
    yield { kind: 'symbol', name: symbol.name, ...(isBare && { isBare }), from, to };
  }
}

/** Blanks in the place of code between marks. */
function withoutCode(text: string): string {
  return text.replace(CODE, (code) => ' '.repeat(code.length));
}

/** Blanks in the place of what fences hold; one that is not closed holds the rest. */
function withoutFences(text: string): string {
  let open = '';
  return text
    .split('\n')
    .map((line) => {
      const mark = FENCE.exec(line)?.[1];
      if (open === '' && mark === undefined) return line;
      if (open === '') open = mark ?? '';
      else if (mark?.startsWith(open)) open = '';
      return ' '.repeat(line.length);
    })
    .join('\n');
}

function* filesIn(text: string): Generator<Name, undefined> {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (word.length > MAX_WORD_CHARS || word.includes('://') || isNew(text, index)) continue;
    if (word.startsWith('new:')) continue;
    const [whole, path = '', at, endsAt, after = ''] = FILE.exec(word) ?? [];
    if (whole === undefined || /^\.[a-z]+$/i.test(path)) continue; // the latter is an ending alone, such as `.ts`
    const length = whole.length - after.length;
    const end = index + length;
    const isCode = text[index - 1] === '`' && text[end] === '`';
    const inWords = at === undefined ? linesInWords(text, index, after === '' ? end : undefined) : undefined;
    const [line, endLine] = inWords?.lines ?? [at, endsAt];
    const isBare = !path.includes('/') && !isCode && line === undefined && !ENDS_AS_FILE.test(path);
    yield {
      kind: 'file',
      name: path,
      ...(isBare && { isBare }),
      ...(line === undefined ? {} : { line: Number(line) }),
      ...(endLine === undefined ? {} : { endLine: Number(endLine) }),
      from: isCode ? index - 1 : index,
      to: inWords?.to ?? end + (isCode ? 1 : 0),
    };
  }
}

/** What prose says of a file's lines beside its name, and where that ends. @param to its end, where words may follow */
function linesInWords(text: string, from: number, to: number | undefined) {
  const after = to === undefined ? undefined : LINES_AFTER.exec(text.slice(to, to + MAX_WORDS_CHARS));
  if (to !== undefined && after) return { lines: [after[1], after[2]], to: to + after[0].length };
  const before = LINES_BEFORE.exec(text.slice(Math.max(0, from - MAX_WORDS_CHARS), from));
  return before ? { lines: [before[1], before[2]], to: undefined } : undefined;
}

/** Said to be made: `new: src/a.ts`. */
function isNew(text: string, index: number): boolean {
  return /\bnew:\s?`?$/.test(text.slice(Math.max(0, index - 8), index));
}

interface CodeName {
  /** Its last part. */
  readonly name: string;
  /** Whether it is of the language. */
  readonly isBare: boolean;
  /** Neither called, nor of anything. */
  readonly isWord: boolean;
}

/** What is surely a name of code: one that is called, or not an ordinary word. */
function symbolIn(code: string): CodeName | undefined {
  const found = SYMBOL.exec(code);
  if (!found) return undefined;
  const bare = code.split('(')[0] ?? code;
  const isCalled = found[1] !== undefined;
  if (!isCalled && !/[a-z][A-Z]|_|[.#:]|^[A-Z][a-z]+[A-Z]/.test(bare)) return undefined;
  const last = bare.split(/[.#:?]+/).at(-1) ?? bare;
  if (last.length < 3) return undefined;
  return { name: last, isBare: isOfPlatform(bare), isWord: !isCalled && last === bare };
}

/** A file or a symbol that a text names; `from` and `to` are where, marks of code around it included. */
export interface Name {
  readonly kind: 'file' | 'symbol';
  /** A path as it is written, or the bare name of a symbol. */
  readonly name: string;
  /** Of a file, where lines are named. */
  readonly line?: number;
  readonly endLine?: number;
  /** Of a file in prose without a folder: it may be a product's name, as `Node.js` is. {@link namesThere} decides. */
  readonly isBare?: true;
  /** Of a file that was looked for and is there, from the root; absent where nobody knows which of several is meant. */
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
const SYMBOL = /^[a-z_$][\w$]*(?:(?:\.|::|#|\?\.)[a-z_$][\w$]*)*(\([^`]*\))?$/i;

/**
 * The files and symbols that a text names as being there, in their order. What it has in fenced code, in addresses,
 * and what it calls `new:path` is no such name.
 */
export function namesIn(text: string): Name[] {
  const shown = withoutFences(text.slice(0, MAX_CHARS));
  const files = firstOf(filesIn(shown));
  const taken = new Set(files.map(({ from }) => from));
  const symbols = firstOf(symbolsIn(shown, taken));
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

/** @param taken where files are named */
function* symbolsIn(text: string, taken: ReadonlySet<number>): Generator<Name, undefined> {
  for (const { 0: code, 1: inner = '', index } of text.matchAll(CODE)) {
    const name = symbolIn(inner.trim());
    if (name === undefined || taken.has(index) || inner.trim().startsWith('new:')) continue;
    if (isNew(text, index)) continue;
    yield { kind: 'symbol', name, from: index, to: index + code.length };
  }
}

/** What prose calls, as `sumOf()`: with nothing between the brackets it is surely no prose. */
function* callsIn(prose: string): Generator<Name, undefined> {
  for (const { index: end } of prose.matchAll(/\(\)/g)) {
    let from = end;
    while (from > 0 && end - from < MAX_CALLED_CHARS && CALLED.test(prose.charAt(from - 1))) from -= 1;
    const lead = /^_{1,2}(?=[a-z])/i.exec(prose.slice(from, end))?.[0] ?? '';
    // Emphasis, where as much of it stands behind.
    if (lead !== '' && prose.startsWith(lead, end + 2)) from += lead.length;
    const code = prose.slice(from, end + 2);
    const name = symbolIn(code);
    if (name === undefined || /[/@:-]/.test(prose.charAt(from - 1)) || isNew(prose, from)) continue;
    yield { kind: 'symbol', name, from, to: end + 2 };
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
    const [whole, path = '', line, endLine, after = ''] = FILE.exec(word) ?? [];
    if (whole === undefined || /^\.[a-z]+$/i.test(path)) continue; // the latter is an ending alone, such as `.ts`
    const length = whole.length - after.length;
    const isCode = text[index - 1] === '`' && text[index + length] === '`';
    const isBare = !path.includes('/') && !isCode && line === undefined && !ENDS_AS_FILE.test(path);
    yield {
      kind: 'file',
      name: path,
      ...(isBare && { isBare }),
      ...(line === undefined ? {} : { line: Number(line) }),
      ...(endLine === undefined ? {} : { endLine: Number(endLine) }),
      from: isCode ? index - 1 : index,
      to: index + length + (isCode ? 1 : 0),
    };
  }
}

/** Said to be made: `new: src/a.ts`. */
function isNew(text: string, index: number): boolean {
  return /\bnew:\s?`?$/.test(text.slice(Math.max(0, index - 8), index));
}

/** The last part of what is surely a name of code: one that is called, or not an ordinary word. */
function symbolIn(code: string): string | undefined {
  const found = SYMBOL.exec(code);
  if (!found) return undefined;
  const bare = code.split('(')[0] ?? code;
  const isCalled = found[1] !== undefined;
  if (!isCalled && !/[a-z][A-Z]|_|[.#:]|^[A-Z][a-z]+[A-Z]/.test(bare)) return undefined;
  const last = bare.split(/[.#:?]+/).at(-1) ?? bare;
  return last.length < 3 ? undefined : last;
}

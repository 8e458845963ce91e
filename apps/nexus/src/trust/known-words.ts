import { runsCode } from './code-variables.ts';

/** What is known of a program that runs nothing but what its words name, as far as each of them is known. */
interface KnownProgram {
  readonly flags: readonly string[];
  /** A value stands after `=`, and is data. */
  readonly joined?: readonly string[];
  /** The next word is the value, or what stands after `=`: a file or package that is looked at where a line is read. */
  readonly naming?: readonly string[];
  /** Words that may stand where its options end; by default anything, which is data or its script's own. */
  readonly first?: readonly string[];
}

const NODE: KnownProgram = {
  flags: [
    ...[
      '--no-warnings',
      '--enable-source-maps',
      '--no-deprecation',
      '--trace-warnings',
      '--trace-deprecation',
    ],
    ...['--trace-uncaught', '--throw-deprecation', '--expose-gc', '--no-addons', '--use-system-ca'],
    ...['--experimental-strip-types', '--experimental-transform-types', '--no-network-family-autoselection'],
  ],
  joined: [
    ...['--max-old-space-size', '--max-semi-space-size', '--max-http-header-size', '--dns-result-order'],
    ...['--unhandled-rejections', '--disable-warning', '--title', '--stack-trace-limit'],
  ],
  naming: ['-r', '--require', '--import', '--env-file', '--env-file-if-exists'],
};

const GIT: KnownProgram = {
  flags: ['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs', '--version'],
  first: [
    ...[
      'log',
      'show',
      'status',
      'diff',
      'rev-parse',
      'ls-files',
      'describe',
      'shortlog',
      'blame',
      'cat-file',
    ],
    'version',
  ],
};
/** Of git's own commands, what prints otherwise and runs nothing. */
const GIT_PRINTS =
  /^(?:-(?:[cnpsz1]|\d+)|--(?:oneline|stat|graph|short|porcelain|name-only|cached|all|tags|no-color|decorate)|--(?:format|pretty|since|until|max-count|abbrev)=.*|[^-].*|--)$/s;

const PROGRAMS: ReadonlyMap<string, KnownProgram> = new Map([
  ['node', NODE],
  ['nodejs', NODE],
  ['git', GIT],
]);

/** They print, wait or end, whatever their words are. */
const PRINT: ReadonlySet<string> = new Set([
  ...['true', 'false', ':', '[', 'test', 'echo', 'sleep', 'exit', 'pwd', 'cat', 'head', 'tail', 'ls'],
  ...['mkdir', 'touch', 'umask', 'ulimit'],
]);
/** They do so with words that are no options, which could set a variable, and name none that decides what runs. */
const PRINT_WORDS: ReadonlySet<string> = new Set(['printf', 'export', 'wait', 'unset']);

/** Whether something is known of it: of any other program it is said that nothing is. */
export function isKnownProgram(name: string): boolean {
  return PROGRAMS.has(name) || PRINT.has(name) || PRINT_WORDS.has(name);
}

/**
 * The words of a known program's line that are not known themselves, so that they may decide what it runs.
 * @param rest what stands after its name
 */
export function unreadWords(name: string, rest: readonly string[]): string[] {
  if (PRINT_WORDS.has(name))
    return rest.filter((word) => word.startsWith('-') || (name === 'unset' && runsCode(word)));
  const program = PROGRAMS.get(name);
  if (program === undefined) return [];
  const { at, unread } = unreadOptions(program, rest);
  const [first, ...own] = rest.slice(at);
  if (program.first !== undefined && first !== undefined && !program.first.includes(first))
    unread.push(first);
  return name === 'git' ? [...unread, ...own.filter((word) => !GIT_PRINTS.test(word))] : unread;
}

/** The same of options that a variable such as `NODE_OPTIONS` adds. */
export function unreadNodeOptions(words: readonly string[]): string[] {
  const { at, unread } = unreadOptions(NODE, words);
  return [...unread, ...words.slice(at)];
}

function unreadOptions(
  { flags, joined = [], naming = [] }: KnownProgram,
  rest: readonly string[],
): { readonly at: number; readonly unread: string[] } {
  const unread: string[] = [];
  let at = 0;
  for (; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (word === '--') {
      // What comes then is an operand, though it looks like an option.
      const after = rest[at + 1] ?? '';
      return { at: at + 1, unread: after.startsWith('-') ? [...unread, after] : unread };
    }
    if (!word.startsWith('-')) break;
    const [, option = word, value] = /^(--[^=]*)=(.*)$/s.exec(word) ?? [];
    if (naming.includes(option)) at += value === undefined ? 1 : 0;
    else if (!(value === undefined ? flags : joined).includes(option)) unread.push(word);
  }
  return { at, unread };
}

/** Said of words that are not known. */
export function sayUnread(name: string, words: readonly string[]): string {
  const more = words.length > SHOWN_WORDS ? ` and ${words.length - SHOWN_WORDS} more` : '';
  return `what ${name} runs may be decided by ${words.slice(0, SHOWN_WORDS).join(' ')}${more}, which is not known here`;
}

const SHOWN_WORDS = 5;

/** Options of a program that runs the rest of its line, and how many words of its own stand before that. */
interface Wrapper {
  /** Without a value; numbers such as `-10` are `-#`. */
  readonly flags: readonly string[];
  /** The next word is their value, unless it is joined on: `-uX`, `--unset=X`. */
  readonly valued: readonly string[];
  readonly own: number;
  /** Those with a value that decide what is run, or where it is looked for. */
  readonly deciding?: readonly string[];
}

const none: Wrapper = { flags: [], valued: [], own: 0 };

const OF_PACKAGES: Wrapper = {
  flags: ['-y', '--yes', '-q', '--quiet', '--bun'],
  valued: ['-p', '--package', '--loglevel'],
  own: 0,
  deciding: [
    ...['-c', '--call', '-C', '--dir', '--prefix', '--userconfig', '--globalconfig', '--cache', '--registry'],
    ...[
      '--script-shell',
      '--shell',
      '--node-options',
      '-n',
      '--node-arg',
      '-w',
      '--workspace',
      '--filter',
      '-F',
    ],
  ],
};

const WRAPPERS: ReadonlyMap<string, Wrapper | 'open'> = new Map(
  Object.entries({
    env: {
      flags: ['-', '-i', '--ignore-environment', '-v', '--debug'],
      valued: ['-u', '--unset'],
      own: 0,
    },
    nice: { flags: ['-#'], valued: ['-n', '--adjustment'], own: 0 },
    nohup: none,
    time: {
      flags: ['-p', '-v', '--verbose', '-a', '--append'],
      valued: ['-f', '--format'],
      own: 0,
      deciding: ['-o', '--output'],
    },
    timeout: {
      flags: ['--foreground', '--preserve-status', '-v', '--verbose'],
      valued: ['-s', '--signal', '-k', '--kill-after'],
      own: 1,
    },
    sudo: { flags: ['-n', '-E', '-H', '-S', '-k', '-b'], valued: ['-u', '-g', '--user', '--group'], own: 0 },
    doas: { flags: ['-n'], valued: ['-u'], own: 0 },
    exec: { flags: ['-c', '-l'], valued: ['-a'], own: 0 },
    command: { flags: ['-p'], valued: [], own: 0 },
    builtin: none,
    setsid: { flags: ['-c', '--ctty', '-f', '--fork', '-w', '--wait'], valued: [], own: 0 },
    stdbuf: { flags: [], valued: ['-i', '-o', '-e', '--input', '--output', '--error'], own: 0 },
    ionice: { flags: ['-t', '--ignore'], valued: ['-c', '-n', '--class', '--classdata'], own: 0 },
    chrt: { flags: ['-b', '-f', '-i', '-o', '-r'], valued: [], own: 1 },
    npx: OF_PACKAGES,
    pnpx: OF_PACKAGES,
    bunx: OF_PACKAGES,
    // Puts what it reads into the line.
    xargs: 'open',
  } satisfies Record<string, Wrapper | 'open'>),
);

export function isWrapper(name: string): boolean {
  return WRAPPERS.has(name);
}

/**
 * The command that a wrapper runs.
 * @param rest what stands after its name
 * @returns `unread` options that are not known, which may take the word after them or change what is run
 */
export function innerCommand(
  name: string,
  rest: readonly string[],
): { readonly line: readonly string[]; readonly unread: readonly string[]; readonly isCertain: boolean } {
  const found = WRAPPERS.get(name) ?? 'open';
  const { flags, valued, own, deciding = [] } = found === 'open' ? none : found;
  const unread: string[] = [];
  let at = 0;
  for (; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (word === '--') {
      at += 1;
      break;
    }
    if (!word.startsWith('-')) break;
    if (deciding.includes(word)) unread.push(word);
    if (valued.includes(word) || deciding.includes(word)) at += 1;
    else if (!isFlag(word, flags) && !valued.some((option) => isJoined(word, option))) unread.push(word);
  }
  return { line: rest.slice(at + own), unread, isCertain: found !== 'open' };
}

function isFlag(word: string, flags: readonly string[]): boolean {
  return flags.includes(/^-\d+$/.test(word) ? '-#' : word);
}

function isJoined(word: string, option: string): boolean {
  return option.startsWith('--')
    ? word.startsWith(`${option}=`)
    : word.startsWith(option) && !word.startsWith('--');
}

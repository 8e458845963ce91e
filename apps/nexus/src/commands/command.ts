/** One command of `nexus`, as data; `cli.ts` makes help and parsing from it. */
export interface Command {
  /** With its arguments, as commander writes them: `call <tool> [arguments...]`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: readonly CommandOption[];
  /** Lines a user can paste, without the `nexus ` in front. */
  readonly examples: readonly string[];
  /** Whether it needs what the project's config runs and loads: then the person at a terminal is asked to trust it. */
  readonly needsTrust?: boolean;
  /** Whether what it prints names what waits for trust. */
  readonly showsTrust?: boolean;
  /**
   * @param commands the names of all
   * @returns the exit code
   */
  run(
    args: readonly (string | readonly string[] | undefined)[],
    options: Options,
    commands?: readonly string[],
  ): Promise<number>;
}

export interface CommandOption {
  /** As commander writes them: `--lock <file>`. */
  readonly flags: string;
  readonly description: string;
  /** May be given several times; each has one value. */
  readonly isRepeated?: boolean;
  /** All that its value may be: anything else is refused by naming them. */
  readonly choices?: readonly string[];
}

/** What is wrong with a value that an option may not have, as a sentence that names those it may. */
export function faultOfChoices(known: readonly CommandOption[], options: Options): string | undefined {
  for (const { flags, choices } of known) {
    const [flag = ''] = flags.split(' ', 1);
    const given = options[flag.slice(2)];
    if (choices === undefined || given === undefined || choices.includes(String(given))) continue;
    return `${flag} must be one of ${choices.join(', ')}; found "${String(given)}"`;
  }
  return undefined;
}

/** What is wrong with options that another way to write the command reads, and this one does not. */
export function faultOfForeign(
  names: readonly string[],
  words: { readonly readBy: string; readonly asked: string },
  options: Options,
): string | undefined {
  const foreign = names.find((name) => options[name] !== undefined);
  return foreign && `--${foreign} is no option of \`${words.asked}\`, but of \`${words.readBy}\``;
}

export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export const configOption: CommandOption = {
  flags: '--config <file>',
  description: 'config file (default: nexus.config.json or .yaml, here or in a folder above)',
};

export const jsonOption: CommandOption = { flags: '--json', description: 'print JSON, for programs' };

export const verboseOption: CommandOption = {
  flags: '--verbose',
  description: 'log what happens, to stderr',
};

export const limitOption: CommandOption = {
  flags: '--limit <count>',
  description: 'how many to show, up to 200 (default: 20)',
};

/**
 * The count that `--limit` names.
 * @throws {Error} naming what was given, where it is no whole number from 1 on
 */
export function limit(options: Options, { fallback = 20, most = 200 } = {}): number {
  const given = text(options, 'limit');
  if (given === undefined) return fallback;
  const count = Number(given);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw new Error(`--limit must be a whole number from 1 to ${most}; found "${given}"`);
}

/** A text option's value, undefined where it was not given. */
export function text(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The values of an option that may be given several times; none where it was not given. */
export function texts(options: Options, name: string): readonly string[] {
  const value = options[name];
  if (typeof value === 'object') return value;
  return typeof value === 'string' ? [value] : [];
}

import type { Options } from './command.ts';

/** How `nexus runs` may be written, and which options each way reads. */
const FORMS = {
  list: { words: 'nexus runs', reads: ['status', 'watch', 'limit'] },
  show: { words: 'nexus runs <id>', reads: ['watch', 'mermaid'] },
  answer: { words: 'nexus runs answer <id>', reads: ['question', 'digest'] },
  cancel: { words: 'nexus runs cancel <id>', reads: [] },
  resume: { words: 'nexus runs resume <id>', reads: ['usd', 'tokens'] },
  rerun: { words: 'nexus runs rerun <id>', reads: ['from', 'all', 'input', 'yes'] },
  replay: {
    words: 'nexus runs replay',
    reads: ['failed', 'cancelled', 'kind', 'error', 'since', 'dryRun', 'yes', 'limit'],
  },
} as const satisfies Readonly<Record<string, { readonly words: string; readonly reads: readonly string[] }>>;

export type RunsForm = keyof typeof FORMS;

const BY_EVERY_FORM: readonly string[] = ['json', 'config'];

/** Of two of these the one says what the other denies. */
const APART = [
  ['from', 'all'],
  ['mermaid', 'json'],
  ['mermaid', 'watch'],
  ['watch', 'json'],
] as const;

const written = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** What is wrong with the options that such a way was given, as a sentence that says how to go on. */
export function faultOfOptions(form: RunsForm, options: Options): string | undefined {
  const given = Object.keys(options).filter((name) => options[name] !== undefined);
  const { words, reads } = FORMS[form];
  const known: readonly string[] = [...BY_EVERY_FORM, ...reads];
  const foreign = given.find((name) => !known.includes(name));
  if (foreign !== undefined) {
    const readers = Object.values(FORMS).filter((each) =>
      (each.reads as readonly string[]).includes(foreign),
    );
    const named = readers.map((each) => `\`${each.words}\``).join(' and ');
    const status = foreign === 'failed' || foreign === 'cancelled';
    const instead = form === 'list' && status ? `; \`nexus runs --status ${foreign}\` lists those` : '';
    return `${written(foreign)} is no option of \`${words}\`, but of ${named}${instead}`;
  }
  const [one, other] = APART.find((both) => both.every((name) => given.includes(name))) ?? [];
  return one && other && `${written(one)} and ${written(other)} do not go together; write one of them`;
}

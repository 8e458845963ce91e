import { posix } from 'node:path';
import type { Workspace } from '../../workspace/workspace.ts';

/** A constant that bounds something. */
export interface Limit {
  readonly file: string;
  readonly name: string;
  /** As the source has it. */
  readonly value: string;
  /** The messages that it is written into, as the source has them. */
  readonly messages: readonly string[];
  /** Whether a test holds three words of one of those messages. */
  readonly isTested: boolean;
}

const SOURCE = /^(?:apps|packages|packages\/plugins)\/[^/]+\/src\/.*\.ts$/;
const CONSTANT = /^(?:export )?const ((?:DEFAULT_)?(?:MAX|MOST|LIMIT)[A-Z0-9_]*)(?:: [^=]+)? = ([^;]+);/gm;
const WORDS_TESTED = 3;

/** Every constant of the code that bounds something, by its name, in the order of the files. */
export function findLimits(workspace: Workspace): Limit[] {
  const scripts = workspace.files.filter((file) => SOURCE.test(file));
  const texts = new Map(
    scripts.filter((file) => !file.endsWith('.test.ts')).map((file) => [file, workspace.read(file)] as const),
  );
  const sentences = sentencesOf(texts.get(SENTENCES) ?? '');
  const tests = workspace.files.filter((file) => file.endsWith('.test.ts'));
  const tested = plain(tests.map((file) => workspace.read(file)).join('\n'));
  return [...texts].flatMap(([file, text]) =>
    [...text.matchAll(CONSTANT)].map(([whole, name = '', value = '']) => {
      const users = whole.startsWith('export') ? usersOf(file, name, texts) : [text];
      const messages = users.flatMap((user) => [...messagesOf(user, name), ...saidOf(user, name, sentences)]);
      const isTested = messages.some((message) => wordsOf(message).some((words) => tested.includes(words)));
      return { file, name, value: value.replace(/\s+/g, ' '), messages, isTested };
    }),
  );
}

/** The texts that may use an exported constant: its own, and those that import its file. */
function usersOf(file: string, name: string, texts: ReadonlyMap<string, string>): string[] {
  const from = `/${posix.basename(file)}'`;
  return [...texts]
    .filter(([each, text]) => each === file || (text.includes(name) && text.includes(from)))
    .map(([, text]) => text);
}

/** Template literals of one line that the constant itself is written into, not an expression of it. */
function messagesOf(text: string, name: string): string[] {
  const literals = text.matchAll(/`([^`\n]*)`/g);
  const written = new RegExp(`\\$\\{${name}(?: / [\\d_ */]+)?\\}`);
  return [...literals].flatMap(([, literal = '']) => (written.test(literal) ? [literal] : []));
}

/** The table of what answers say of themselves, whose gaps are filled where they are said. */
const SENTENCES = 'packages/primitives/src/cutting/own-sentences.ts';

function sentencesOf(table: string): ReadonlyMap<string, string> {
  const rows = table.matchAll(/^ {2}(\w+): sentence`(.*)`,$/gm);
  return new Map([...rows].map(([, name = '', text = '']) => [name, text]));
}

/** Those of the table that the constant itself is given to, with what is given for each gap. */
function saidOf(text: string, name: string, sentences: ReadonlyMap<string, string>): string[] {
  return [...text.matchAll(/OWN_SENTENCES\.(\w+)\(([\w., ]*)\)/g)].flatMap(([, said = '', given = '']) => {
    const filled = given.split(', ');
    if (!filled.includes(name)) return [];
    return [(sentences.get(said) ?? '').replace(/\$\{'\w+'\}/g, () => `\${${filled.shift()}}`)];
  });
}

/** Each so many words of a message that follow one another. */
function wordsOf(message: string): string[] {
  return message.split(/\$\{[^}]*\}/).flatMap((part) => {
    const words = plain(part).split(/\s+/).filter(Boolean);
    return words
      .slice(0, Math.max(0, words.length - WORDS_TESTED + 1))
      .map((_, at) => words.slice(at, at + WORDS_TESTED).join(' '));
  });
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\\(.)/g, '$1').replaceAll('’', "'");
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoDir } from '../app.ts';

/** A block of code on a page for people. */
export interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  /** Why no test runs it, as its first line says to whoever reads the page. */
  readonly whyNot: string | undefined;
}

/** The one way in which a page says that a block is not run. */
const MARK = /^# not run by a test: (.+)$/m;

/** What a test can run, or hold to what it is a piece of. */
const EXECUTABLE = new Set(['sh', 'json', 'console']);

const FENCED = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** Every page for people: the README and its neighbours, docs, and what stands beside the examples. */
export function allPages(): string[] {
  const docs = readdirSync(join(repoDir, 'docs')).filter((name) => name.endsWith('.md'));
  const examples = readdirSync(join(repoDir, 'examples'));
  return [
    ...['README.md', 'CONTRIBUTING.md', 'AGENTS.md'],
    ...docs.map((name) => `docs/${name}`),
    ...examples.map((name) => `examples/${name}/README.md`),
  ];
}

export function readPage(page: string): string {
  return readFileSync(join(repoDir, page), 'utf8');
}

export function blocksOf(page: string): Block[] {
  return [...readPage(page).matchAll(FENCED)].flatMap(([, language = '', text = '']) =>
    EXECUTABLE.has(language) ? [{ page, language, text, whyNot: MARK.exec(text)?.[1] }] : [],
  );
}

/** The lines of a block that are commands. */
export function commandsIn({ language, text }: Block): string[] {
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  if (language === 'console')
    return lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

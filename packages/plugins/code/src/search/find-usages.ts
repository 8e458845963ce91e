import { join } from 'node:path';
import type { CallContext } from '@nexus/plugin-sdk';
import { cutLine } from '../files/excerpt.ts';
import { createPause } from '../files/pause.ts';
import { readFound } from '../files/read-text.ts';
import { listMatching } from '../ripgrep/list-matching.ts';
import { displayPath } from '../roots/display-path.ts';
import type { Target } from '../roots/targets.ts';
import type { CodeState } from '../state.ts';
import type { Declaration } from '../syntax/declarations.ts';
import { languageOf } from '../syntax/languages.ts';
import { type Occurrence, type Occurrences, occurrencesIn, wordIndexes } from '../syntax/occurrences.ts';
import type { SourceSymbol } from '../syntax/symbol.ts';
import { assertNamedText } from './assert-named-text.ts';

/** Parsing takes milliseconds a file: a name in more files than that is too common to ask for. */
export const MAX_FILES = 2_000;
const MAX_OTHER_DEFINITIONS = 20;
const PROGRESS_EVERY_FILES = 50;

export interface UsageQuery {
  readonly symbol: string;
  readonly targets: readonly Target[];
  readonly limit: number;
}

interface Found {
  readonly definitions: (Declaration & { file: string })[];
  readonly references: { file: string; line: number; column: number; text: string; within: string | null }[];
  total: number;
  mentions: number;
}

/** Definitions of a name and the first references to it, by path and line. */
export async function findUsages({ symbol, targets, limit }: UsageQuery, context: CallContext<CodeState>) {
  const { state, host, signal, progress } = context;
  const files: string[] = [];
  for (const target of targets) {
    await assertNamedText(target, context);
    const { cwd, file } = target;
    const listed = await listMatching(state.ripgrep, { text: symbol, cwd, file, signal });
    files.push(...listed.map((path) => join(cwd, path)));
  }
  const pause = createPause();
  const found: Found = { definitions: [], references: [], total: 0, mentions: 0 };
  for (const [done, path] of files.slice(0, MAX_FILES).entries()) {
    signal.throwIfAborted();
    const text = readFound(path);
    const { code, mentions } = await occurrencesOf(symbol, { path, text }, state);
    found.mentions += mentions;
    const file = displayPath(host.projectRoot, path);
    for (const occurrence of code) {
      if (occurrence.declares) {
        found.definitions.push({ ...occurrence.declares, file });
        continue;
      }
      found.total += 1;
      if (found.total <= limit) found.references.push(show(occurrence, file, text));
    }
    if (done % PROGRESS_EVERY_FILES === PROGRESS_EVERY_FILES - 1) {
      progress('Reading usages', done + 1, files.length);
    }
    await pause();
  }
  return answer(found, files.length);
}

function answer({ definitions, references, total, mentions }: Found, fileCount: number) {
  const [definition = null, ...others] = definitions
    .sort((a, b) => Number(a.isLocal) - Number(b.isLocal))
    .map(({ symbol, file }) => ({ file, ...symbol }));
  const notes = [
    ...(others.length > MAX_OTHER_DEFINITIONS ? [`${others.length} other definitions in all.`] : []),
    ...(fileCount > MAX_FILES
      ? [`The totals are lower bounds: ${fileCount} files hold the name. Narrow by directory.`]
      : []),
  ];
  return {
    definition,
    otherDefinitions: others.slice(0, MAX_OTHER_DEFINITIONS).map(inOneLine),
    references,
    total,
    mentions,
    ...(notes.length > 0 ? { notes } : {}),
  };
}

function inOneLine({ file, line, kind, signature }: SourceSymbol & { file: string }): string {
  return `${file}:${line} ${kind} ${signature}`;
}

async function occurrencesOf(
  symbol: string,
  { path, text }: { path: string; text: string },
  { parsers }: CodeState,
): Promise<Occurrences> {
  const language = languageOf(path);
  if (!language) return { code: [], mentions: wordIndexes(symbol, text).length };
  return occurrencesIn(symbol, text, { language, loaded: await parsers.load(language) });
}

function show({ index, within }: Occurrence, file: string, text: string) {
  const start = text.lastIndexOf('\n', index - 1) + 1;
  const end = text.indexOf('\n', index);
  const line = text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '');
  return {
    file,
    line: text.slice(0, index).split('\n').length,
    column: index - start + 1,
    text: cutLine(line, index - start).trim(),
    within,
  };
}

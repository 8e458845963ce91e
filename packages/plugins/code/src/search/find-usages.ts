import { join } from 'node:path';
import type { CallContext } from '@nexus/plugin-sdk';
import type { LocalSymbol, Parsed, Reference, UsagesWanted } from '../parsing/task.ts';
import { listMatching } from '../ripgrep/list-matching.ts';
import { displayPath } from '../roots/display-path.ts';
import type { Target } from '../roots/targets.ts';
import type { CodeState } from '../state.ts';
import type { SourceSymbol } from '../syntax/symbol.ts';
import { UnreadFiles } from '../unread.ts';
import { assertNamedText } from './assert-named-text.ts';

/** Parsing takes milliseconds a file: a name in more files than that is too common to ask for. */
export const MAX_FILES = 2_000;
const MAX_OTHER_DEFINITIONS = 20;
const MAX_DEFINITIONS_KEPT = 1_000;
const PROGRESS_EVERY_FILES = 50;

export interface UsageQuery {
  readonly symbol: string;
  readonly targets: readonly Target[];
  readonly limit: number;
}

interface Found {
  readonly definitions: (LocalSymbol & { file: string })[];
  readonly references: (Reference & { file: string })[];
  readonly unread: UnreadFiles;
  definitionCount: number;
  total: number;
  mentions: number;
}

/** Definitions of a name and the first references to it, by path and line. */
export async function findUsages({ symbol, targets, limit }: UsageQuery, context: CallContext<CodeState>) {
  const { state, signal, progress } = context;
  const files: string[] = [];
  for (const target of targets) {
    await assertNamedText(target, context);
    const { cwd, file } = target;
    const listed = await listMatching(state.ripgrep, { text: symbol, cwd, file, signal });
    for (const path of listed) files.push(join(cwd, path));
  }
  const found: Found = {
    definitions: [],
    references: [],
    unread: new UnreadFiles(),
    definitionCount: 0,
    total: 0,
    mentions: 0,
  };
  const read = files.slice(0, MAX_FILES);
  const want = (): UsagesWanted => ({ of: 'usages', name: symbol, limit: Math.max(0, limit - found.total) });
  let done = 0;
  for await (const parts of state.parsing.parse(
    read.map((path) => ({ path })),
    { want, signal },
  )) {
    for (const parsed of parts) {
      take(parsed, displayPath(context.host.projectRoot, read[done] ?? ''), { found, limit });
      done += 1;
      if (done % PROGRESS_EVERY_FILES === 0) progress('Reading usages', done, read.length);
    }
  }
  return answer(found, files.length);
}

function take(parsed: Parsed, file: string, { found, limit }: { found: Found; limit: number }): void {
  if (parsed.status === 'failed') found.unread.add(file, parsed.reason);
  if (parsed.status !== 'parsed' || parsed.found.of !== 'usages') return;
  const { definitions, definitionCount, references, total, mentions } = parsed.found;
  found.definitionCount += definitionCount;
  found.total += total;
  found.mentions += mentions;
  const room = MAX_DEFINITIONS_KEPT - found.definitions.length;
  found.definitions.push(...definitions.slice(0, room).map((symbol) => ({ file, ...symbol })));
  const wanted = references.slice(0, Math.max(0, limit - found.references.length));
  found.references.push(...wanted.map((reference) => ({ file, ...reference })));
}

function answer({ definitions, definitionCount, references, unread, total, mentions }: Found, files: number) {
  const [definition = null, ...others] = definitions
    .sort((a, b) => Number(a.isLocal) - Number(b.isLocal))
    .map(({ isLocal: _, ...symbol }) => symbol);
  const notes = [
    ...(definitionCount > MAX_OTHER_DEFINITIONS + 1
      ? [`${definitionCount - 1} other definitions in all.`]
      : []),
    ...(files > MAX_FILES
      ? [`The totals are lower bounds: ${files} files hold the name. Narrow by directory.`]
      : []),
  ];
  return {
    definition,
    otherDefinitions: others.slice(0, MAX_OTHER_DEFINITIONS).map(inOneLine),
    references,
    total,
    mentions,
    ...unread.part,
    ...(notes.length > 0 ? { notes } : {}),
  };
}

function inOneLine({ file, line, kind, signature }: SourceSymbol & { file: string }): string {
  return `${file}:${line} ${kind} ${signature}`;
}

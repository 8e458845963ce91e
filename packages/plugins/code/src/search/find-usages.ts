import { join } from 'node:path';
import { answerRoom, type CallContext, fitting, jsonLength, nextPage } from '@nexus/plugin-sdk';
import { counted, cutEndCounted, visibleName } from '@nexus/primitives';
import { usageLength, usageLineChars } from '../answers/usages-text.ts';
import type { LocalSymbol, Parsed, Reference, UsagesWanted } from '../parsing/task.ts';
import { listMatching } from '../ripgrep/list-matching.ts';
import { displayPath } from '../roots/display-path.ts';
import type { Target } from '../roots/targets.ts';
import type { CodeState } from '../state.ts';
import type { SourceSymbol } from '../syntax/symbol.ts';
import { UnreadFiles } from '../unread.ts';
import { assertNamedText } from './assert-named-text.ts';
import { sayUnsearched } from './say-unsearched.ts';

/** Parsing takes milliseconds a file: a name in more files than that is too common to ask for. */
const MAX_FILES = 2_000;
const MAX_OTHER_DEFINITIONS = 20;
/** Of an answer; one is there at least. */
const OTHERS_SHARE = 1 / 4;
const MAX_DEFINITIONS_KEPT = 1_000;
const PROGRESS_EVERY_FILES = 50;

export interface UsageQuery {
  readonly symbol: string;
  readonly targets: readonly Target[];
  readonly limit: number;
  readonly offset: number;
}

interface Found {
  readonly definitions: (LocalSymbol & { file: string })[];
  readonly references: (Reference & { file: string })[];
  readonly mentions: (Reference & { file: string })[];
  readonly unread: UnreadFiles;
  definitionCount: number;
  total: number;
  mentionCount: number;
}

/** Definitions of a name, and one page of its places: references in code by path and line, then mentions. */
export async function findUsages(query: UsageQuery, context: CallContext<CodeState>) {
  const { symbol, targets, offset } = query;
  const limit = offset + query.limit;
  const { state, signal, progress } = context;
  const files: string[] = [];
  const notes: string[] = [];
  for (const target of targets) {
    const readAs = await assertNamedText(target, context);
    const { cwd, file } = target;
    const listed = await listMatching(state.ripgrep, { text: symbol, cwd, file, readAs, signal });
    for (const path of listed) files.push(join(cwd, path));
  }
  const found: Found = {
    definitions: [],
    references: [],
    mentions: [],
    unread: new UnreadFiles(),
    definitionCount: 0,
    total: 0,
    mentionCount: 0,
  };
  const read = files.slice(0, MAX_FILES);
  const room = answerRoom(context.host.results);
  const lineChars = usageLineChars(room);
  const want = (): UsagesWanted => ({ of: 'usages', name: symbol, limit, lineChars });
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
  if (found.total + found.mentionCount <= limit) {
    for (const target of targets) notes.push(...(await sayUnsearched(target, { pattern: symbol }, context)));
  }
  return answer(found, { files: files.length, offset, limit: query.limit, said: notes, room });
}

function take(parsed: Parsed, file: string, { found, limit }: { found: Found; limit: number }): void {
  if (parsed.status === 'failed' || parsed.status === 'unreadable') found.unread.add(file, parsed.reason);
  if (parsed.status !== 'parsed' || parsed.found.of !== 'usages') return;
  const { definitions, definitionCount, references, total, mentions, mentionCount } = parsed.found;
  found.definitionCount += definitionCount;
  found.total += total;
  found.mentionCount += mentionCount;
  const room = MAX_DEFINITIONS_KEPT - found.definitions.length;
  found.definitions.push(...definitions.slice(0, room).map((symbol) => ({ file, ...symbol })));
  for (const [kept, more] of [
    [found.references, references],
    [found.mentions, mentions],
  ] as const) {
    kept.push(...more.slice(0, Math.max(0, limit - kept.length)).map((each) => ({ file, ...each })));
  }
}

function answer(
  { definitions, definitionCount, references, mentions, unread, total, mentionCount }: Found,
  {
    files,
    offset,
    limit,
    said,
    room,
  }: { files: number; offset: number; limit: number; said: readonly string[]; room: number },
) {
  const [definition = null, ...others] = definitions
    .sort((a, b) => Number(a.isLocal) - Number(b.isLocal))
    .map(({ isLocal: _, ...symbol }) => ({
      ...symbol,
      signature: cutEndCounted(symbol.signature, usageLineChars(room)),
    }));
  const otherDefinitions = fitting(others.slice(0, MAX_OTHER_DEFINITIONS).map(inOneLine), {
    room: OTHERS_SHARE * room,
    textOf: jsonLength,
  });
  const notes = [
    ...said,
    ...(definitionCount > otherDefinitions.length + 1
      ? [`${counted(definitionCount - 1, 'other definition')} in all.`]
      : []),
    ...(files > MAX_FILES
      ? [`The totals are lower bounds: ${files} files hold the name. Narrow by directory.`]
      : []),
  ];
  const beside = jsonLength({ definition, otherDefinitions, notes, ...unread.part });
  const page = [...references, ...mentions].slice(offset, offset + limit);
  const places = fitting(page, { room, textOf: usageLength, beside });
  return {
    definition,
    otherDefinitions,
    references: places,
    total,
    mentions: mentionCount,
    ...nextPage(offset, places.length, total + mentionCount),
    ...unread.part,
    ...(notes.length > 0 ? { notes } : {}),
  };
}

function inOneLine({ file, line, kind, signature }: SourceSymbol & { file: string }): string {
  // Many a signature begins with its kind.
  const said = signature.split(/\s+/).includes(kind) ? signature : `${kind} ${signature}`;
  return `${visibleName(file)}:${line} ${said}`;
}

import { readBytesSync } from '@nexus/primitives';
import { decodedOf, textOf } from '../files/read-text.ts';
import { languageOf } from '../syntax/languages.ts';
import { createParsers, type Parsers } from '../syntax/parsers.ts';
import { contentKey, hashOf } from './content-key.ts';
import { stampOf } from './file-stamp.ts';
import { symbolsIn } from './symbols-in.ts';
import type { FileContent, Parsed, ParseTask, SourceFile } from './task.ts';
import { usagesIn } from './usages-in.ts';

/** After that the worker answers, so that a task of many files lasts no longer than one of its files. */
const TURN_MS = 100;
/** An answer is taken over in one go by the thread that asked. */
const MAX_SYMBOLS_AN_ANSWER = 5_000;

let parsers: Parsers | undefined;

/** @returns what was found in the first files, at least one */
export async function parseFiles(task: ParseTask): Promise<Parsed[]> {
  parsers ??= createParsers(task.maxBytes);
  const endsAt = performance.now() + TURN_MS;
  const answers: Parsed[] = [];
  let symbolCount = 0;
  for (const file of task.files) {
    const parsed = await parse(file, task, parsers);
    answers.push(parsed);
    if (parsed.status === 'parsed' && parsed.found.of === 'symbols')
      symbolCount += parsed.found.symbols.length;
    if (performance.now() > endsAt || symbolCount > MAX_SYMBOLS_AN_ANSWER) break;
  }
  return answers;
}

async function parse(file: SourceFile, task: ParseTask, parsers: Parsers): Promise<Parsed> {
  const content = file.content ?? contentOf(file.path, task.maxBytes);
  if ('status' in content) return content;
  const { stamp } = content;
  const bytes = Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength);
  const hash = hashOf(bytes);
  if (hash === file.knownHash) return { status: 'same', stamp };
  const language = languageOf(file.path);
  const reason = task.failed.get(contentKey(language, hash));
  if (reason !== undefined) return { status: 'failed', hash, stamp, reason };
  const decoded = decodedOf({ bytes }, task.maxBytes);
  if ('reason' in decoded) return { status: 'unreadable', ...decoded };
  const { text, readAs } = decoded;
  const parsed = { language, loaded: language && (await parsers.load(language)) };
  const found =
    task.want.of === 'symbols' ? symbolsIn(text, parsed, task.want) : usagesIn(text, parsed, task.want);
  return { status: 'parsed', found, hash, stamp, readAs };
}

function contentOf(path: string, maxBytes: number): FileContent | (Parsed & { status: 'unreadable' }) {
  const readAtMs = Date.now();
  try {
    const read = readBytesSync(path, maxBytes);
    if (typeof read === 'object' && 'bytes' in read)
      return { bytes: read.bytes, stamp: stampOf(read.stats, readAtMs) };
    const text = textOf(read, maxBytes);
    return { status: 'unreadable', reason: typeof text === 'string' ? '' : text.reason };
  } catch (error) {
    // Gone or not permitted. Anything else is a fault of ours.
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return { status: 'unreadable', reason: error.message };
  }
}

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Host, ToolError } from '@nexus/plugin-sdk';
import { readDocuments, type ToolDocument } from '../ranking/document.ts';
import type { IndexMaker } from '../ranking/rank-tools.ts';
import { indexWords, type WordIndex } from '../ranking/word-index.ts';
import { readIndex, writeIndex } from './index-file.ts';
import { type DocumentTexts, textsOf } from './task.ts';

/** So few are indexed here while a thread would start, in as long as a file takes. */
const FEW = 500;
/** Twenty thousand tools take a second or two. */
const TIME_LIMIT_MS = 60_000;
const MAX_HEAP_MB = 1_024;

/** Makes indexes in a thread, and keeps them on disk by the version of the tools: a restart finds them there. */
export function keptIndexes(
  host: Pick<Host, 'workers' | 'dataDir' | 'log'>,
): (version: string) => IndexMaker {
  const pool = host.workers.pool<DocumentTexts, WordIndex>({
    module: new URL('./index-words.worker.ts', import.meta.url),
    threads: 1,
    maxHeapMb: MAX_HEAP_MB,
  });

  async function make(documents: readonly ToolDocument[]): Promise<WordIndex> {
    // Who asked first may go; others wait for the same index.
    const limits = { signal: new AbortController().signal, timeLimitMs: TIME_LIMIT_MS };
    const outcome = await pool.run(textsOf(documents), limits);
    if (!outcome.fault) return outcome.answer;
    const text = `The index of ${documents.length} tools ${outcome.reason}. Take toolboxes off the config that nobody uses, or leave tools out by toolFilters.`;
    throw new ToolError('NEXUS_UNAVAILABLE', text);
  }

  return (version) => async (tools) => {
    if (tools.length <= FEW) return indexWords(await readDocuments(tools), () => nextTurn());
    const name = createHash('sha256').update(version).digest('hex').slice(0, 32);
    const file = join(host.dataDir, 'toolboxes', 'found-by', name);
    const kept = await readIndex(file);
    if (kept) return kept;
    const made = await make(await readDocuments(tools));
    writeIndex(file, made).catch((error: unknown) =>
      host.log.warn('toolboxes: the index of tools could not be kept on disk', { err: error }),
    );
    return made;
  };
}

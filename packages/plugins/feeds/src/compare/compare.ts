import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type CallContext, ToolError } from '@nexus/plugin-sdk';
import { projectFile } from '../project-file.ts';
import type { FeedsState } from '../state.ts';
import type { CompareAnswer, CompareTask, ShownPart } from './task.ts';

/** Two gibibytes. */
const MAX_FILE_BYTES = 2 ** 31;
const LIMIT_MS = 800_000;
/** A folder that is older than any comparison may take is of a server that died. */
const DEAD_MS = 24 * 3_600_000;

export interface CompareInput extends ShownPart {
  readonly feedAPath: string;
  readonly feedBPath: string;
  readonly keyPath: string;
  readonly compareFields?: readonly string[] | undefined;
}

export async function compare(
  { feedAPath, feedBPath, keyPath, compareFields, offset, limit }: CompareInput,
  context: CallContext<FeedsState>,
): Promise<CompareAnswer> {
  const { state, host, signal } = context;
  const [a, b] = await Promise.all([projectFile(feedAPath, context), projectFile(feedBPath, context)]);
  for (const { shown, bytes } of [a, b]) {
    if (bytes > MAX_FILE_BYTES) {
      throw new ToolError(
        'NEXUS_INVALID_ARGUMENTS',
        `${shown} has ${bytes} bytes; at most ${MAX_FILE_BYTES} are compared. Split both files by their keys.`,
      );
    }
  }
  const comparers = await state.comparers();
  const above = join(host.dataDir, 'feeds');
  const folder = join(above, `compare-${randomUUID()}`);
  await sweep(above);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const task: CompareTask = { a, b, keyPath, compareFields, folder, offset, limit };
    const outcome = await comparers.run(task, { signal, timeLimitMs: LIMIT_MS });
    if (outcome.fault) {
      throw new ToolError(
        'NEXUS_UNAVAILABLE',
        `${a.shown} and ${b.shown} can’t be compared: it ${outcome.reason}.`,
      );
    }
    if ('refused' in outcome.answer) throw new ToolError('NEXUS_INVALID_ARGUMENTS', outcome.answer.refused);
    return outcome.answer.answer;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function sweep(above: string): Promise<void> {
  for (const name of await readdir(above).catch(() => [])) {
    const left = join(above, name);
    const { mtimeMs = Date.now() } = (await stat(left).catch(() => undefined)) ?? {};
    if (Date.now() - mtimeMs > DEAD_MS) await rm(left, { recursive: true, force: true });
  }
}

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkerOutcome, Workers } from '@nexus/plugin-sdk';
import { collectLog } from '@nexus/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { catalogued } from '../../test/catalogued.ts';
import { rankTools } from '../ranking/rank-tools.ts';
import type { WordIndex } from '../ranking/word-index.ts';
import { keptIndexes } from './kept-indexes.ts';
import type { DocumentTexts } from './task.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'nexus-finder-'));
});
// An index may be on its way to the disk still, and what waits in this thread would keep it from getting there.
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));

const folder = () => join(dataDir, 'toolboxes', 'found-by');
const files = () => readdirSync(folder()).filter((name) => !name.endsWith('.tmp'));

/** More than are indexed in place, the last of which nobody else is like. */
const tools = (last: string) =>
  Array.from({ length: 600 }, (_, at) =>
    catalogued('s', {
      name: at === 599 ? last : `tool_${at}`,
      description: `Does\0 what number ${at} does: ${'看'.repeat(at % 3)}.`,
    }),
  );

/** Indexes as a new process makes them; the worker's own module answers, or what is given instead. */
function start(outcome?: WorkerOutcome<WordIndex>) {
  const asked = vi.fn();
  const workers = {
    pool: ({ module }: { module: URL }) => ({
      async run(task: DocumentTexts) {
        asked();
        const { default: work } = (await import(module.href)) as { default(task: unknown): Promise<unknown> };
        return outcome ?? { answer: await work(task) };
      },
    }),
  } as unknown as Workers;
  const makeIndex = keptIndexes({ workers, dataDir, log: collectLog().log });
  const find = async (last: string, query: string) => {
    const ranking = await rankTools(tools(last), makeIndex(last));
    const { hits } = ranking.search({ queries: [query], toolboxes: [], limit: 3 });
    return hits.map(({ tool, score }) => [tool.tool, score]);
  };
  return { find, asked };
}

function flipByte(file: string): void {
  const bytes = readFileSync(file);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 0x80;
  writeFileSync(file, bytes);
}

it('keeps the index of many tools, and a new process finds the same by it without making one', async () => {
  const first = start();
  const found = await first.find('send_letter', 'send letter');
  expect(found[0]?.[0]).toBe('send_letter');
  await vi.waitFor(() => expect(files()).toHaveLength(1));
  const second = start();
  expect(await second.find('send_letter', 'send letter')).toEqual(found);
  expect(await second.find('send_letter', '看')).toEqual(await first.find('send_letter', '看'));
  expect(second.asked).not.toHaveBeenCalled();
});

it('makes another one for another version', async () => {
  await start().find('send_letter', 'send letter');
  await vi.waitFor(() => expect(files()).toHaveLength(1));
  const second = start();
  expect((await second.find('fax_letter', 'fax'))[0]?.[0]).toBe('fax_letter');
  expect(second.asked).toHaveBeenCalledOnce();
});

it.each([
  ['cut off', (file: string) => truncateSync(file, 1_000)],
  ['empty', (file: string) => truncateSync(file, 0)],
  ['damaged, and as long as it was', flipByte],
  ['of another form', (file: string) => writeFileSync(file, 'nonsense'.repeat(100))],
])('makes it anew where the file is %s', async (_what, spoil) => {
  const found = await start().find('send_letter', 'send letter');
  await vi.waitFor(() => expect(files()).toHaveLength(1));
  spoil(join(folder(), files()[0] ?? ''));
  const second = start();
  expect(await second.find('send_letter', 'send letter')).toEqual(found);
  expect(second.asked).toHaveBeenCalledOnce();
});

it('removes the files used longest ago, and what an end over the writing left', async () => {
  mkdirSync(folder(), { recursive: true });
  for (let at = 0; at < 20; at += 1) {
    const file = join(folder(), at === 0 ? 'old.1.tmp' : `old-${at}`);
    writeFileSync(file, '');
    utimesSync(file, at, at);
  }
  await start().find('send_letter', 'send letter');
  await vi.waitFor(() => expect(readdirSync(folder())).toHaveLength(8));
  expect(readdirSync(folder())).not.toContain('old.1.tmp');
  expect(readdirSync(folder())).toContain('old-19');
});

it('says how many tools were too many for a thread, and what to do', async () => {
  const overran = { fault: 'overran', reason: 'took longer than 60000 ms' } as const;
  await expect(start(overran).find('send_letter', 'send')).rejects.toThrow(
    /600 tools took longer than 60000 ms.*toolFilters/,
  );
});

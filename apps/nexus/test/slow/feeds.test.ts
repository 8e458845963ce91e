import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { startServer } from '../harness/server-process.ts';

const ROWS = 1_000_000;
const MAX_MB = 200;

/** Writes rows without holding them. */
async function write(path: string, row: (at: number) => string, head = ''): Promise<void> {
  const file = createWriteStream(path);
  file.write(head);
  for (let at = 0; at < ROWS; at += 1) {
    if (!file.write(row(at))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

/** The most memory that the process ever had, in megabytes. */
function peakMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

it.runIf(process.platform === 'linux')(
  'a million rows with missing and doubled keys are compared by a server that stays below 200 MB',
  async () => {
    await using project = await makeProject();
    // Each hundredth row has no key, each thousandth the key of the row before it.
    const keyOf = (at: number) => (at % 100 === 50 ? '' : at % 1_000 === 1 ? at - 1 : at);
    await write(project.path('old.csv'), (at) => `${keyOf(at)},name ${at},${at % 97}\n`, 'id,name,price\n');
    await write(project.path('new.ndjson'), (at) => {
      // Each ten thousandth has another price; the first ten are gone.
      const price = at % 10_000 === 7 ? 1_000 : at % 97;
      return `${JSON.stringify({ id: at < 10 ? '' : keyOf(at), name: `name ${at}`, price })}\n`;
    });
    await using server = startServer(project);
    const { session } = server;
    await session.initialize();
    const { result } = await session.call('compare_data_feeds', {
      feedAPath: 'old.csv',
      feedBPath: 'new.ndjson',
      keyPath: 'id',
    });
    const withoutKey = ROWS / 100;
    const doubled = ROWS / 1_000;
    const keys = ROWS - withoutKey - doubled;
    expect(result.structuredContent).toMatchObject({
      a: { rows: ROWS, keys, withoutKey: { count: withoutKey }, doubled: { count: doubled } },
      b: {
        rows: ROWS,
        // Of the first ten rows, the second has the key of the first.
        keys: keys - 9,
        withoutKey: { count: withoutKey + 10 },
        doubled: { count: doubled - 1 },
      },
      same: keys - 9 - (ROWS / 10_000 - 1),
      changed: { count: ROWS / 10_000 - 1 },
      onlyInA: { count: 9 },
      onlyInB: { count: 0 },
    });
    expect(peakMb(server.pid)).toBeLessThan(MAX_MB);
  },
);

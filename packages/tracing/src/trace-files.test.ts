import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Span } from '@nexus/plugin-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTraceOf, traceFiles } from './trace-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexus-traces-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const faults: unknown[] = [];
const parts = {
  withCalls: false,
  keepDays: 30,
  maxBytes: 1_000_000,
  onFault: (error: unknown) => void faults.push(error),
};

function span(of: Partial<Span> = {}): Span {
  return {
    name: 'step look',
    kind: 'internal',
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    family: 'run_1',
    startMs: 10,
    endMs: 20,
    attributes: { 'nexus.step.kind': 'step' },
    ...of,
  };
}

describe('the files of traces', () => {
  it('have each family of runs apart, and its spans in the order of their beginning', async () => {
    const files = traceFiles({ ...parts, folder });
    files.take(span({ spanId: '2'.repeat(16), startMs: 15 }));
    files.take(span({ spanId: '1'.repeat(16), startMs: 5 }));
    files.take(span({ family: 'run_2' }));
    const trace = await files.read('run_1');
    expect(trace?.spans.map(({ startMs }) => startMs)).toEqual([5, 15]);
    expect(trace?.spans[0]).toMatchObject({ type: 'step' });
    expect(readdirSync(folder).sort()).toEqual(['run_1.jsonl', 'run_2.jsonl']);
  });

  it('have calls outside of runs only where these are asked for', () => {
    expect(traceFiles({ ...parts, folder }).wants({})).toBe(false);
    const files = traceFiles({ ...parts, folder, withCalls: true });
    expect(files.wants({})).toBe(true);
    files.take(span({ family: undefined, startMs: Date.UTC(2026, 0, 2) }));
    files.flush();
    expect(readdirSync(folder)).toEqual(['calls-2026-01-02.jsonl']);
  });

  it('are read past a torn line, which is counted, and count a span once that was told twice', async () => {
    const files = traceFiles({ ...parts, folder });
    files.take(span());
    files.take(span());
    files.flush();
    appendFileSync(join(folder, 'run_1.jsonl'), '{"name":"step lo\nnull\n[]\n');
    expect(await readTraceOf(folder, 'run_1')).toMatchObject({ spans: [{ name: 'step look' }], unread: 3 });
  });

  it.each(['../run_1', 'run 1', '', 'a/b'])('take no path for a family: %s', async (family) => {
    writeFileSync(join(folder, 'x.jsonl'), '');
    expect(traceFiles({ ...parts, folder }).wants({ family })).toBe(false);
    expect(await readTraceOf(folder, family)).toBeUndefined();
  });

  it('go when they are too old, and the oldest first when they are too much', () => {
    const old = join(folder, 'run_old.jsonl');
    writeFileSync(old, 'x\n');
    utimesSync(old, 0, Date.now() / 1_000 - 31 * 86_400);
    const large = join(folder, 'run_large.jsonl');
    writeFileSync(large, 'x'.repeat(900_000));
    utimesSync(large, 0, Date.now() / 1_000 - 86_400);
    writeFileSync(join(folder, 'run_new.jsonl'), 'x'.repeat(200_000));
    writeFileSync(join(folder, 'not-ours.txt'), 'x');
    const files = traceFiles({ ...parts, folder });
    files.take(span());
    files.flush();
    expect(readdirSync(folder).sort()).toEqual(['not-ours.txt', 'run_1.jsonl', 'run_new.jsonl']);
  });

  it('never hold much more than they may, however fast they grow', () => {
    const files = traceFiles({ ...parts, folder, maxBytes: 20_000 });
    for (let run = 0; run < 400; run += 1) {
      files.take(span({ family: `run_${run}` }));
      files.flush();
    }
    const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name)).length);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(22_500);
  });

  it('that can’t be written fail no call', () => {
    writeFileSync(join(folder, 'file'), '');
    const files = traceFiles({ ...parts, folder: join(folder, 'file', 'below') });
    files.take(span());
    files.flush();
    expect(faults).toHaveLength(1);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('');
  });
});

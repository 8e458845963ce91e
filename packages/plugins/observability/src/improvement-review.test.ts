import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Audit, AuditedCall, Fetching, Models, TraceRecord, Traces } from '@nexus/plugin-sdk';
import { scriptedModels, startPlugin } from '@nexus/testing';
import { expect, it } from 'vitest';
import observability from './index.ts';

const now = Date.now();
const calls = Array.from(
  { length: 6 },
  (_, index): AuditedCall => ({
    tool: 'memory_write',
    startMs: now - 1_000,
    endMs: now,
    code: index < 3 ? 'NEXUS_DENIED' : undefined,
    run: undefined,
  }),
);
const step = (index: number): TraceRecord => ({
  type: 'step',
  name: 'step write',
  kind: 'internal',
  traceId: 'a'.repeat(32),
  spanId: String(index).padStart(16, '0'),
  family: 'run_1',
  startMs: now - 100,
  endMs: now,
  attributes: {
    'nexus.run.id': 'run_1',
    'nexus.step.name': `write#${index + 1}/work`,
    'nexus.step.attempt': 1,
  },
});
const ofAudit = {
  ...step(9),
  type: 'call' as const,
  attributes: { 'gen_ai.tool.name': 'memory_write', 'error.type': 'X' },
};

const audit: Pick<Audit, 'record' | 'calls'> = {
  async record() {},
  async *calls(moment) {
    expect(moment).toBeGreaterThan(now - 8 * 86_400_000);
    yield* calls;
  },
};
const traces: Traces = {
  read: async () => undefined,
  async *since() {
    for (let index = 0; index < 6; index += 1) yield step(index);
    yield ofAudit;
  },
};

/** One that did bad work now and then, and one that did it seldom. */
const judgedModels: Models = {
  ...scriptedModels([]),
  async outcomes() {
    const of = { category: 'code', runs: 9, successes: 9, p50LatencyMs: 1, p95LatencyMs: 1 } as const;
    const rest = { inputTokens: 1, outputTokens: 1, costUsd: 0, cancelled: 0, unpriced: 0 };
    return [
      { model: 'a:often', ...of, ...rest, judged: { good: 4, bad: 2 } },
      { model: 'a:seldom', ...of, ...rest, judged: { good: 40, bad: 1 } },
    ];
  },
};

type SourceRequest = Parameters<Fetching['source']>[1];

/** GitHub's issues, with one that is open already. */
function github() {
  const asked: SourceRequest[] = [];
  const answer = (of: unknown) => ({ body: new TextEncoder().encode(JSON.stringify(of)) });
  const source = async (_name: string, request: SourceRequest) => {
    asked.push(request);
    if (request.method !== 'POST')
      return answer([{ title: 'Nexus: step write was sent back', html_url: 'https://x/1' }]);
    return answer({ html_url: `https://x/${asked.length}` });
  };
  return { asked, fetching: { source } as unknown as Fetching };
}

it('counts what the records have, and files issues only where the config says so', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nexus-review-'));
  mkdirSync(join(dataDir, 'mcp-telemetry'));
  const row = { toolName: 'orchestrate', endedAt: new Date(now).toISOString() };
  const rows = Array.from({ length: 5 }, (_, index) => ({
    ...row,
    ...(index < 2 ? { errorCategory: 'timeout' } : {}),
  }));
  writeFileSync(
    join(dataDir, 'mcp-telemetry', 'timeout-mismatch-events.jsonl'),
    `${rows.map((each) => JSON.stringify(each)).join('\n')}\n{"torn\n`,
  );
  const { asked, fetching } = github();
  const given = { audit: audit as Audit, traces, models: judgedModels, fetching: () => fetching, dataDir };
  const plugin = await startPlugin(observability, given);
  const allowed = await startPlugin(observability, {
    ...given,
    options: { issues: { repository: 'acme/shop' } },
  });
  try {
    const review = await plugin.answer('improvement_review', {});
    expect(review).toMatchObject({
      total: 4,
      samples: 12,
      findings: [
        { kind: 'failed', subject: 'tool memory_write', count: 3, of: 6, detail: 'NEXUS_DENIED 3' },
        { kind: 'sent-back', subject: 'step write', count: 5, of: 6, links: ['nexus://runs/run_1'] },
        { kind: 'useless', subject: 'model a:often at code', count: 2, of: 6 },
        { kind: 'timed-out', subject: 'tool orchestrate', count: 2, of: 5 },
      ],
    });
    const { findings } = await plugin.answer('improvement_review', {}, { user: 'somebody else' });
    const sentBack = (findings as { kind: string }[]).find(({ kind }) => kind === 'sent-back');
    expect(sentBack).toMatchObject({ count: 5, links: [] });
    const refused = await plugin.call('improvement_review', { fileIssues: true });
    expect(refused).toMatchObject({ isError: true, _meta: { 'nexus/error': { code: 'NEXUS_DENIED' } } });
    expect(asked).toEqual([]);
    const filed = await allowed.answer('improvement_review', { fileIssues: true });
    expect(filed).toMatchObject({
      filed: ['https://x/2', 'https://x/3', 'https://x/4'],
      known: ['https://x/1'],
    });
    expect(asked.map(({ method = 'GET', path }) => `${method} ${path}`)).toEqual([
      'GET /repos/acme/shop/issues',
      ...Array(3).fill('POST /repos/acme/shop/issues'),
    ]);
    expect(JSON.parse(asked[1]?.body ?? '')).toMatchObject({
      title: 'Nexus: tool memory_write failed often',
      body: expect.stringContaining('3 of 6 in the last 7 days (NEXUS_DENIED 3)'),
    });
  } finally {
    await Promise.all([plugin.stop(), allowed.stop()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
});

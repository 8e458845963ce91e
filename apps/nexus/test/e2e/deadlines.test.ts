import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { fastClock } from '../harness/fast-clock.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { verifiesAnew } from '../harness/verifies.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const eventFile = (project: Project) =>
  join(project.dataDir, 'mcp-telemetry', 'timeout-mismatch-events.jsonl');

/** They are written a moment after the answer has left. */
function rows(project: Project): Promise<Record<string, unknown>[]> {
  return vi.waitFor(async () => {
    const text = await readFile(eventFile(project), 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  });
}

function warnings(stderr: string): Record<string, unknown>[] {
  const lines = stderr.split('\n').filter((line) => line.includes('budget exceeds client default'));
  return lines.map((line) => JSON.parse(line));
}

verifiesAnew('deadline.fires', 'ends a call at its budget', async (way) => {
  const tools = { slow_wait: { timeoutMs: 300 }, slow_deaf: { timeoutMs: 300 } };
  await using project = await makeProject({ slowPlugin: true, config: { tools } });
  await using server = await way.open(project);
  for (const name of ['slow_wait', 'slow_deaf']) {
    const { result } = await server.session.call(name);
    expect(result.isError).toBe(true);
    expect(result._meta['nexus/error']).toMatchObject({
      code: 'NEXUS_TIMEOUT',
      category: 'timeout',
      retryable: true,
    });
    expect(result.content[0].text).toContain(`tools.${name}.timeoutMs`);
  }
});

verifiesAnew('deadline.fires', 'multiplies budgets by NEXUS_TIMEOUT_MULTIPLIER', async (way) => {
  const tools = { slow_wait: { timeoutMs: 1200 } };
  const env = { NEXUS_TIMEOUT_MULTIPLIER: '0.25' };
  await using project = await makeProject({ slowPlugin: true, config: { tools }, env });
  await using server = await way.open(project);
  const { result } = await server.session.call('slow_wait');
  expect(result._meta['nexus/error'].detail).toEqual({ budgetMs: 300 });
});

verifiesAnew(
  'deadline.mismatch',
  'warns of and records a call that its client may give up on',
  async (way) => {
    await using project = await makeProject({ slowPlugin: true });
    await using server = await way.open(project);
    await server.session.call('slow_wait_long', { ms: 20 });
    const found = await rows(project);
    expect(found).toEqual([
      {
        eventId: expect.stringMatching(UUID),
        toolName: 'slow_wait_long',
        configuredTimeoutMs: 600_000,
        mcpSdkDefaultMs: 60_000,
        startedAt: expect.stringMatching(ISO),
        endedAt: expect.stringMatching(ISO),
        durationMs: expect.any(Number),
        outcome: 'success',
      },
    ]);
    const { startedAt, endedAt, durationMs, eventId } = found[0] ?? {};
    expect(Date.parse(String(endedAt)) - Date.parse(String(startedAt))).toBe(durationMs);
    // By HTTP the answer comes another way than the log.
    await vi.waitFor(() =>
      expect(warnings(server.stderr())).toEqual([
        expect.objectContaining({
          level: 40,
          tool: 'slow_wait_long',
          configuredTimeoutMs: 600_000,
          mcpSdkDefaultMs: 60_000,
          eventId,
        }),
      ]),
    );
  },
);

verifiesAnew('deadline.mismatch', 'records that the deadline fired', async (way) => {
  const tools = { slow_wait: { timeoutMs: 61_000 } };
  await using project = await makeProject({ slowPlugin: true, config: { tools } });
  await using server = await way.open(project, { nodeArgs: fastClock });
  const { result } = await server.session.call('slow_wait');
  const [{ text }] = result.content;
  const found = await rows(project);
  await vi.waitFor(() => expect(warnings(server.stderr())).toMatchObject([{ eventId: found[0]?.eventId }]));
  expect(found).toEqual([
    {
      eventId: expect.stringMatching(UUID),
      toolName: 'slow_wait',
      configuredTimeoutMs: 61_000,
      mcpSdkDefaultMs: 60_000,
      startedAt: expect.stringMatching(ISO),
      endedAt: expect.stringMatching(ISO),
      durationMs: expect.any(Number),
      outcome: 'error',
      errorCategory: 'timeout',
      errorMessage: text,
    },
  ]);
});

verifiesAnew(
  'deadline.mismatch',
  'records nothing of a call with a progress token, nor of a short one',
  async (way) => {
    await using project = await makeProject({ slowPlugin: true });
    await using server = await way.open(project);
    await server.session.call('slow_wait_long', { ms: 20 }, { _meta: { progressToken: 1 } });
    await server.session.call('slow_wait', { ms: 20 });
    expect(warnings(server.stderr())).toEqual([]);
    await server.session.call('slow_wait_long', { ms: 21 });
    expect(await rows(project)).toHaveLength(1);
  },
);

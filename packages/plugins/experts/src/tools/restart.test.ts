import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PluginUnderTest, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scriptedTeam } from '../../test/scripted-team.ts';
import experts from '../index.ts';

let dataDir: string;
let plugin: PluginUnderTest;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'nexus-experts-'));
});
afterEach(async () => {
  await plugin.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Ended {
  readonly status: string;
  readonly result?: { readonly isError?: boolean; readonly structuredContent?: { output?: string } };
}

const ONE_STEP = { steps: [{ id: 'look', expert: 'qa', title: 'Look', task: 'Look.' }] };
const { signal } = new AbortController();

/** The arguments of each tool of long work, as a job. */
const TOOLS = {
  async orchestrate() {
    return { task: 'Is it safe?' };
  },
  async execute_expert() {
    const { expertId } = await plugin.answer<{ expertId: string }>('create_expert', { role: 'qa' });
    return { expertId, task: 'Look.' };
  },
} as const;

describe.each(Object.entries(TOOLS))('%s', (tool, argumentsOf) => {
  it('is taken up by the next server with what it had done, whatever its hints', async () => {
    const hangs = scriptedTeam(ONE_STEP, { expert: () => ({ hangs: true }) });
    plugin = await startPlugin(experts, { dataDir, models: hangs });
    const args = { ...(await argumentsOf()), dispatch: 'async' };
    const { jobId } = await plugin.answer<{ jobId: string }>(tool, args);
    const asked = tool === 'orchestrate' ? 2 : 1;
    await expect.poll(() => hangs.requests.length, { timeout: 20_000 }).toBe(asked);
    await plugin.stop();

    const answers = scriptedTeam([], { expert: () => 'Seen.' });
    plugin = await startPlugin(experts, { dataDir, models: answers });
    const ended = (await plugin.host.jobs.wait(jobId, { waitMs: 20_000, signal })) as Ended;
    expect(ended, JSON.stringify(ended)).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(ended.result?.structuredContent)).toContain('Seen.');
    const { total } = await plugin.host.runs.list({ limit: 9 });
    expect(total).toBe(1);
    // The plan is not made again: the next server's team has none.
    expect(answers.requests.length).toBe(1);
  });

  it('goes on under the key of a call that was cancelled, and is then found by it', async () => {
    let mayAnswer = false;
    const script = scriptedTeam(ONE_STEP, { expert: () => (mayAnswer ? 'Seen.' : { hangs: true }) });
    plugin = await startPlugin(experts, { dataDir, models: script });
    const args = { ...(await argumentsOf()), idempotencyKey: 'once' };
    const client = new AbortController();
    const call = plugin.call(tool, args, { signal: client.signal });
    const asked = tool === 'orchestrate' ? 2 : 1;
    await expect.poll(() => script.requests.length, { timeout: 20_000 }).toBe(asked);
    client.abort();
    await call;
    mayAnswer = true;
    const first = await plugin.answer<{ runId: string }>(tool, args);
    const second = await plugin.answer<{ runId: string }>(tool, args);
    expect(second).toEqual(first);
    const { runs } = await plugin.host.runs.list({ limit: 9 });
    expect(runs.map(({ status }) => status)).toEqual(['completed', 'cancelled']);
    expect(runs[0]).toMatchObject({ id: first.runId, rerunOf: runs[1]?.id });
    const plans = script.requests.filter(({ system = '' }) => system.startsWith('You plan'));
    expect(plans).toHaveLength(tool === 'orchestrate' ? 1 : 0);
  });
});

describe('a run that an expert’s tool starts', () => {
  it('is a child of the expert’s, paid from the same budget and ended with it', async () => {
    let expertId = '';
    const models = scriptedModels(({ prompt }) => {
      const text = JSON.stringify(prompt);
      if (text.includes('INNER')) return text.includes('OUTER') ? 'Both.' : 'Inner.';
      return { tools: [{ name: 'execute_expert', input: { expertId, task: 'INNER' } }] };
    });
    plugin = await startPlugin(experts, { dataDir, models, options: { allowTools: ['execute_expert'] } });
    ({ expertId } = await plugin.answer<{ expertId: string }>('create_expert', { role: 'qa' }));
    const { runId } = await plugin.answer<{ runId: string }>('execute_expert', { expertId, task: 'OUTER' });
    const run = await plugin.host.runs.get(runId);
    expect(run.children).toMatchObject([
      { kind: 'experts.turn', parentId: runId, status: 'completed', output: { output: 'Inner.' } },
    ]);
    expect(run.steps.map(({ name }) => name)).toContain(run.children[0]?.parentStep);
    expect(run.budget.spent.tokens).toBe(3 * 15);
    expect((await plugin.host.runs.list({ limit: 9 })).total).toBe(1);
  });
});

import type { ModelUsage } from '@nexus/plugin-sdk';
import { type PluginUnderTest, type ScriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { askedOf, promptOf, scriptedTeam } from '../../test/scripted-team.ts';
import experts from '../index.ts';

const TWO_AND_ONE = {
  steps: [
    { id: 'callers', expert: 'code', title: 'Find callers', task: 'Find who calls it.' },
    { id: 'threats', expert: 'security', title: 'Find threats', task: 'Find who attacks it.' },
    {
      id: 'docs',
      expert: 'documentation',
      title: 'Write it up',
      task: 'Write.',
      needs: ['callers', 'threats'],
    },
  ],
};

const ONE_AND_THEN_ONE = {
  steps: [
    { id: 'one', expert: 'code', title: 'One', task: 'Do one.' },
    { id: 'two', expert: 'qa', title: 'Two', task: 'Do two.', needs: ['one'] },
  ],
};

interface Answer {
  readonly runId: string;
  readonly summary: string;
  readonly steps: readonly { id: string; status: string; tries: number; output: string; feedback?: string }[];
  readonly experts_consulted: readonly string[];
  readonly usage: ModelUsage;
}

let plugin: PluginUnderTest;
afterEach(() => plugin.stop());

async function start(models: ScriptedModels, options = {}) {
  plugin = await startPlugin(experts, { models, options });
  return plugin;
}

describe('orchestrate', () => {
  it('plans, gives each step what it needs and no more, and answers from what was done', async () => {
    const models = scriptedTeam(TWO_AND_ONE);
    await start(models);
    const answer = await plugin.answer<Answer>('orchestrate', {
      task: 'Review auth',
      context: { file: 'auth.ts' },
    });
    expect(answer).toMatchObject({
      summary: 'All is well.',
      experts_consulted: ['code', 'security', 'documentation'],
      recommendations: ['Keep it. (believed)'],
      steps: [{ status: 'passed', tries: 1 }, { status: 'passed' }, { status: 'passed' }],
    });
    const prompts = models.requests.filter((request) => askedOf(request) === 'expert').map(promptOf);
    expect(prompts).toHaveLength(3);
    expect(prompts[0]).toContain('auth.ts');
    expect(prompts[0]).not.toContain('Review auth');
    const written = prompts.find((prompt) => prompt.includes('\n\nWrite.'));
    expect(written).toContain('expert answer 1');
    expect(written).toContain('expert answer 2');
    const run = await plugin.host.runs.get(answer.runId);
    expect(run).toMatchObject({ kind: 'experts.orchestrate', status: 'completed', title: 'Review auth' });
  });

  it('says what all its model calls used, those of work that was sent back too', async () => {
    const models = scriptedTeam(TWO_AND_ONE, {
      reviewer: (_, count) => ({ object: { passes: count > 2, feedback: 'more' } }),
    });
    await start(models);
    const { usage, steps } = await plugin.answer<Answer>('orchestrate', { task: 'x' });
    expect(steps.some(({ tries }) => tries > 1)).toBe(true);
    expect(usage.inputTokens).toBe(10 * models.requests.length);
    expect(usage.outputTokens).toBe(5 * models.requests.length);
    expect(usage.costUsd).toBeCloseTo(0.001 * models.requests.length);
  });

  it('sends a step back with what is missing until it passes', async () => {
    const models = scriptedTeam(ONE_AND_THEN_ONE, {
      reviewer: (_, count) => ({ object: { passes: count >= 3, feedback: `mend ${count}` } }),
    });
    await start(models);
    const { steps } = await plugin.answer<Answer>('orchestrate', { task: 'x' });
    expect(steps).toMatchObject([{ status: 'passed', tries: 3, output: 'expert answer 3' }, { tries: 1 }]);
    const [, second] = models.requests.filter((request) => askedOf(request) === 'expert').map(promptOf);
    expect(second).toContain('mend 1');
    expect(second).toContain('expert answer 1');
    // Each try is on the record of the model that did it.
    expect(models.judged.map(({ isGood, source, by }) => [isGood, source, by])).toEqual([
      [false, 'mend 1', { model: 'scripted:model', category: 'code' }],
      [false, 'mend 2', { model: 'scripted:model', category: 'code' }],
      [true, 'It passed its review.', expect.anything()],
      [true, 'It passed its review.', expect.anything()],
    ]);
    expect(new Set(models.judged.map(({ key }) => key)).size).toBe(4);
  });

  it('stops sending back when maxIterations is spent, and says so', async () => {
    const models = scriptedTeam(ONE_AND_THEN_ONE, {
      reviewer: () => ({ object: { passes: false, feedback: 'never good' } }),
    });
    await start(models);
    const { steps } = await plugin.answer<Answer>('orchestrate', { task: 'x', maxIterations: 4 });
    expect(steps).toMatchObject([
      { status: 'sent_back', tries: 2, feedback: expect.stringMatching(/never good[\s\S]*maxIterations/) },
      { status: 'sent_back', tries: 2 },
    ]);
  });

  it.each([
    [
      'a circle',
      [
        { id: 'a', needs: ['b'] },
        { id: 'b', needs: ['a'] },
      ],
      /circle: a, b/,
    ],
    ['a need that is no step', [{ id: 'a', needs: ['z'] }], /a needs z, which is no step/],
    ['two steps of one name', [{ id: 'a' }, { id: 'a' }], /two steps are called a/],
    ['too many steps', [{ id: 'a' }, { id: 'b' }, { id: 'c' }], /3 steps, and at most 2/],
  ])('gives a plan with %s back once, and then fails with what is wrong', async (_, steps, fault) => {
    const bad = { steps: steps.map((step) => ({ expert: 'code', title: 't', task: 't', ...step })) };
    const models = scriptedTeam(bad);
    await start(models);
    const { isError, content } = await plugin.call('orchestrate', { task: 'x', maxIterations: 2 });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(fault);
    expect(promptOf(models.requests[1] ?? { prompt: '' })).toMatch(fault);
    expect(models.requests).toHaveLength(2);
  });

  it('shows the plan that it refused as what failed, and plans again when it goes on', async () => {
    const bad = { steps: [{ id: 'a', expert: 'code', title: 't', task: 't', needs: ['a'] }] };
    await start(scriptedTeam([bad, bad, ONE_AND_THEN_ONE]));
    const { _meta } = await plugin.call('orchestrate', { task: 'x' });
    const { detail } = Object(_meta?.['nexus/error']) as { detail: { runId: string } };
    const { runs } = plugin.host;
    const { steps } = await runs.get(detail.runId);
    expect(steps.filter(({ refusal }) => refusal !== undefined)).toMatchObject([
      { name: 'plan again', refusal: expect.stringContaining('no plan that can be done') },
    ]);
    const { kept, repeated } = await runs.planRerun(detail.runId, { goesOn: true });
    expect(kept).toContain('plan');
    expect(repeated.at(-1)).toMatchObject({ name: 'plan again' });
    const { id } = await runs.takeUp(detail.runId);
    const ended = await runs.wait(id, { signal: AbortSignal.timeout(10_000) });
    expect(ended).toMatchObject({ status: 'completed', output: { summary: 'All is well.' } });
  });

  it('works again where the only expert had no answer, when it goes on', async () => {
    const { ToolError } = await import('@nexus/plugin-sdk');
    const refusal = new ToolError('NEXUS_MODEL_REFUSED', 'I will not.');
    await start(
      scriptedTeam(ONE_AND_THEN_ONE, { expert: (_, count) => (count === 1 ? refusal : 'I will.') }),
    );
    const { _meta } = await plugin.call('orchestrate', { task: 'x', effort: 'one' });
    const { detail } = Object(_meta?.['nexus/error']) as { detail: { runId: string } };
    const { runs } = plugin.host;
    const { id } = await runs.takeUp(detail.runId);
    const ended = await runs.wait(id, { signal: AbortSignal.timeout(10_000) });
    expect(ended).toMatchObject({ status: 'completed', output: { summary: 'I will.' } });
  });

  it('takes a plan that was mended when it was told', async () => {
    const bad = { steps: [{ id: 'a', expert: 'code', title: 't', task: 't', needs: ['a'] }] };
    await start(scriptedTeam([bad, TWO_AND_ONE]));
    expect((await plugin.answer<Answer>('orchestrate', { task: 'x' })).steps).toHaveLength(3);
  });

  it('goes on where one expert’s model refuses, and says which step failed', async () => {
    const { ToolError } = await import('@nexus/plugin-sdk');
    const models = scriptedTeam(TWO_AND_ONE, {
      expert: (request, count) =>
        promptOf(request).includes('attacks')
          ? new ToolError('NEXUS_MODEL_REFUSED', 'I will not.')
          : `answer ${count}`,
    });
    await start(models);
    const { steps } = await plugin.answer<Answer>('orchestrate', { task: 'x' });
    expect(steps.map(({ status }) => status)).toEqual(['passed', 'failed', 'passed']);
    expect(steps[1]?.feedback).toContain('I will not.');
  });

  it('is unavailable without a model, with the ways to get one', async () => {
    const { scriptedModels } = await import('@nexus/testing');
    await start(scriptedModels([]));
    for (const [tool, args] of [
      ['orchestrate', { task: 'x' }],
      ['create_expert', { role: 'code' }],
      ['delegate_to_model', { task: 'x' }],
    ] as const) {
      const result = await plugin.call(tool, args);
      expect([tool, result._meta?.['nexus/error']]).toMatchObject([tool, { code: 'NEXUS_NO_MODEL' }]);
    }
    expect((await plugin.answer<{ count: number }>('list_experts')).count).toBe(12);
  });

  it('takes up a run that paused at its cap, and pays nothing twice', async () => {
    const models = scriptedTeam(TWO_AND_ONE);
    await start(models, { maxCostUsd: 0.0035 });
    const paused = await plugin.call('orchestrate', { task: 'x' });
    expect(paused._meta?.['nexus/error']).toMatchObject({ code: 'NEXUS_BUDGET_EXCEEDED' });
    const { detail } = Object(paused._meta?.['nexus/error']) as { detail: { runId: string; status: string } };
    expect(detail.status).toBe('paused');
    const before = models.requests.length;
    await plugin.host.runs.resume(detail.runId, { cap: { costUsd: 1 } });
    const answer = await plugin.resume<Answer>(detail.runId);
    expect(answer.runId).toBe(detail.runId);
    expect(answer.usage.inputTokens).toBe(10 * 8);
    expect(models.requests.length).toBeGreaterThan(before);
    const asked = models.requests.map((request) => `${request.system}${promptOf(request)}`);
    expect(new Set(asked).size).toBe(8);
  });

  it('ends its run, with the experts at work and what they ask, when the call is cancelled', async () => {
    const models = scriptedTeam(TWO_AND_ONE, { expert: () => ({ hangs: true }) });
    await start(models);
    const client = new AbortController();
    const call = plugin.call('orchestrate', { task: 'x' }, { signal: client.signal });
    await expect.poll(() => models.requests.length).toBe(3);
    client.abort();
    expect((await call)._meta?.['nexus/error']).toMatchObject({ code: 'NEXUS_CANCELLED' });
    await expect
      .poll(async () => (await plugin.host.runs.list({ limit: 9 })).runs[0]?.status)
      .toBe('cancelled');
    const { runs } = await plugin.host.runs.list({ limit: 9 });
    const { children } = await plugin.host.runs.get(String(runs[0]?.id));
    const turns = children.flatMap((child) => [child, ...child.children]);
    expect(turns.map(({ status }) => status)).toEqual(turns.map(() => 'cancelled'));
    expect(turns).toHaveLength(3);
  });

  it('goes on with its run when it is made again under the same key', async () => {
    const models = scriptedTeam(TWO_AND_ONE);
    await start(models);
    const args = { task: 'x', idempotencyKey: 'once' };
    const first = await plugin.answer<Answer>('orchestrate', args);
    expect(await plugin.answer<Answer>('orchestrate', args)).toEqual(first);
    expect((await plugin.host.runs.list({ limit: 9 })).total).toBe(1);
    expect(models.requests).toHaveLength(8);
  });

  it('tells planner, experts, reviewer and writer of the project first', async () => {
    const models = scriptedTeam(TWO_AND_ONE);
    plugin = await startPlugin(experts, { models, projectBrief: 'It is a basket.' });
    await plugin.answer('orchestrate', { task: 'x' });
    expect(new Set(models.requests.map(askedOf))).toEqual(
      new Set(['planner', 'expert', 'reviewer', 'writer']),
    );
    for (const { system } of models.requests) expect(system).toMatch(/^It is a basket\.\n\nYou /);
  });
});

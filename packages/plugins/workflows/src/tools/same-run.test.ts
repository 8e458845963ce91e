import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { definePlugin } from '@nexus/plugin-sdk';
import { type PluginUnderTest, startPlugin } from '@nexus/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { devTeam, scriptedVote } from '../../test/dev-team.ts';
import { fixtureRepository, TEST_COMMAND } from '../../test/fixture-repository.ts';
import { scriptedExperts } from '../../test/scripted-experts.ts';
import { startWorkflows } from '../../test/workflows-under-test.ts';
import workflows from '../index.ts';

const PATIENCE = { timeout: 25_000 };

let plugin: PluginUnderTest;
afterEach(() => plugin.stop());

/** Makes a call, cancels it once its run has got so far, and answers the run. */
async function cancelled(tool: string, args: object, hasBegun: () => boolean): Promise<string> {
  const client = new AbortController();
  const call = plugin.call(tool, { ...args }, { signal: client.signal });
  await expect.poll(hasBegun, PATIENCE).toBe(true);
  client.abort();
  await call;
  const { runs } = await plugin.host.runs.list({ limit: 1 });
  return String(runs[0]?.id);
}

describe.each([
  ['run_dev_pipeline', { task: 'Let the sum be right.' }],
  ['run_pipeline', { task: 'Let the sum be right.', template: 'dev' }],
])('%s', (tool, asked) => {
  it('goes on under its key with the commit that it began with, whatever was committed since', async () => {
    using repository = fixtureRepository();
    let mayAnswer = false;
    const models = devTeam({ researcher: () => (mayAnswer ? { text: 'Found.' } : { hangs: true }) });
    const runs = [...(workflows.runs ?? []), scriptedVote(() => 'approved'), scriptedExperts(() => 'Done.')];
    plugin = await startPlugin(definePlugin({ ...workflows, runs }), {
      models,
      projectRoot: repository.path,
      options: { commands: { test: TEST_COMMAND } },
    });
    const base = repository.git('rev-parse', 'HEAD').trim();
    const args = { ...asked, idempotencyKey: 'once' };
    const earlier = await cancelled(tool, args, () => models.requests.length > 0);
    repository.write('later.txt', 'committed meanwhile');
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '--message', 'Later');
    mayAnswer = true;
    const answer = await plugin.answer<{ runId: string; changes?: { base: string } }>(tool, args);
    const run = await plugin.host.runs.get(answer.runId);
    expect(run.rerunOf).toBe(earlier);
    expect(JSON.stringify(run.input)).toContain(base);
    expect(await plugin.answer(tool, args)).toMatchObject({ runId: answer.runId });
  });
});

describe('run_workflow', () => {
  const FILE = '.nexus/workflows/mine.yaml';
  const TEXT = [
    'name: mine',
    'version: 1.0.0',
    'description: One step.',
    'steps:',
    '  - id: say',
    '    uses: tool:echo',
    '    with: { value: hello }',
  ].join('\n');

  it.each([
    ['deleted', (root: string) => rmSync(join(root, FILE))],
    ['broken', (_: string, write: (file: string, text: string) => void) => write(FILE, 'steps: [')],
  ])('goes on under its key with the file that it began with, which was %s since', async (_, change) => {
    let mayAnswer = false;
    const under = await startWorkflows({ files: { [FILE]: TEXT } });
    plugin = under;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    under.calls.onCall = () => (mayAnswer ? undefined : held);
    const args = { template: 'mine', idempotencyKey: 'once' };
    const earlier = await cancelled('run_workflow', args, () => under.calls.all.length === 1);
    change(under.root, under.write);
    mayAnswer = true;
    letGo();
    const answer = await plugin.answer<{ runId: string; steps: unknown }>('run_workflow', args);
    expect(answer.steps).toMatchObject([{ id: 'say', status: 'completed' }]);
    expect((await plugin.host.runs.get(answer.runId)).rerunOf).toBe(earlier);
  });

  it('of two users under one key is two runs', async () => {
    plugin = await startWorkflows({ files: { [FILE]: TEXT } });
    const args = { template: 'mine', idempotencyKey: 'once' };
    const runOf = async (user: string) =>
      (await plugin.answer<{ runId: string }>('run_workflow', args, { user })).runId;
    const [alice, bob] = [await runOf('alice'), await runOf('bob')];
    expect(alice).not.toBe(bob);
    expect(await runOf('alice')).toBe(alice);
  });

  it('that failed is taken up once, however often it is resumed', async () => {
    const under = await startWorkflows({
      files: {
        [FILE]: TEXT.replace('uses: tool:echo', 'uses: tool:fail_until').replace('value: hello', 'times: 2'),
      },
    });
    plugin = under;
    const failed = await plugin.call('run_workflow', { template: 'mine' });
    const { detail } = Object(failed._meta?.['nexus/error']) as { detail: { runId: string } };
    const resumed = await Promise.all([1, 2].map(() => plugin.resume<{ runId: string }>(detail.runId)));
    expect(resumed[0]?.runId).not.toBe(detail.runId);
    expect(resumed[1]).toEqual(resumed[0]);
    expect((await plugin.host.runs.list({ limit: 9 })).total).toBe(2);
  });
});

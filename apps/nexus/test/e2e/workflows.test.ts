import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { NO_MODELS } from '../harness/expert-team.ts';
import { makeProject } from '../harness/project.ts';
import { verifies } from '../harness/verifies.ts';
import { WORKFLOW_FILES, workflowTeam } from '../harness/workflow-kill.ts';

verifies('workflows.run', 'experts and tools get what they need, and no more is asked', async (way) => {
  await using team = await workflowTeam();
  await using project = await makeProject({ files: WORKFLOW_FILES, env: team.env });
  await using server = await way.open(project);
  const args = { template: 'two-and-one', inputs: { what: 'login' } };
  const { result } = await server.session.call('run_workflow', args, { _meta: { progressToken: 'steps' } });
  expect(result.structuredContent, JSON.stringify(result)).toMatchObject({
    status: 'completed',
    output: { report: 'FIRST-DRAFT' },
    steps: [
      { id: 'look', status: 'completed' },
      { id: 'callers', output: { text: 'CALLERS-FOUND' } },
      { id: 'threats', output: { text: 'THREATS-FOUND' } },
      { id: 'report', output: { text: 'FIRST-DRAFT' } },
    ],
  });
  const counted = server.session.received.flatMap(({ method, params }) =>
    method === 'notifications/progress' && Number.isInteger(params.progress) && params.progress > 0
      ? [[params.progress, params.total]]
      : [],
  );
  // What ends side by side may be counted at once.
  expect(counted.map(([, total]) => total)).toEqual(counted.map(() => 4));
  expect(counted.map(([done]) => done)).toEqual(expect.arrayContaining([1, 3, 4]));
  expect(team.requests.map(({ fault }) => fault)).toEqual(Array(4).fill(undefined));
  const report = team.asked.find(({ text }) => text.includes('WRITE-REPORT'))?.text;
  expect(report).toContain('CALLERS-FOUND');
  expect(report).toContain('THREATS-FOUND');
  expect(report).not.toContain('FIND-CALLERS');
  const callers = team.asked.find(({ text }) => text.includes('FIND-CALLERS'))?.text;
  expect(callers).toContain('src/login.ts');
  const graph = await server.session.call('run_graph_workflow', { workflow: 'until-good' });
  expect(graph.result.structuredContent, JSON.stringify(graph.result)).toMatchObject({
    finalState: { text: 'SECOND-DRAFT', wrong: '' },
    nodesExecuted: [
      { id: 'write', visits: 2 },
      { id: 'judge', visits: 2 },
    ],
    checkpoints: [{ id: 'write#1' }, { id: 'judge#1' }, { id: 'write#2' }, { id: 'judge#2' }],
  });
  expect(team.asked).toHaveLength(8);
});

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));

verifies('workflows.plain', 'a shipped workflow of tool steps reviews this repository', async (way) => {
  await using project = await makeProject({ env: NO_MODELS });
  await using server = await way.open({ ...project, root: REPOSITORY });
  const { session } = server;
  const listed = await session.call('list_workflows', { format: 'names' });
  expect(listed.result.structuredContent.count).toBeGreaterThanOrEqual(16);
  const inputs = { files: 'packages/plugin-sdk/src/**/*.ts', directory: 'packages' };
  const { result } = await session.call('run_workflow', { template: 'standards-review', inputs });
  const { output, status } = result.structuredContent;
  expect(status, JSON.stringify(result)).toBe('completed');
  expect(output.report).toMatch(/Marks of unfinished work \| \d+/);
  expect(output.report).toMatch(/Declarations in packages\/plugin-sdk\/src\/\*\*\/\*\.ts \| [1-9]\d+/);
  expect(output.report).toMatch(/Documents: .*README\.md/);
  expect(output.secrets).toBeInstanceOf(Array);
  expect(output.meetsStandard).toBeTypeOf('boolean');
});

verifies('workflows.plain', 'a review says that it looked at no file, and claims nothing', async (way) => {
  const readmes = Array.from({ length: 7 }, (_, at) => [`part-${at}/README.md`, '# A part\n']);
  await using project = await makeProject({ env: NO_MODELS, files: Object.fromEntries(readmes) });
  await using server = await way.open(project);
  const { result } = await server.session.call('run_workflow', { template: 'standards-review' });
  const { output } = result.structuredContent;
  expect(output.meetsStandard).toBeNull();
  expect(output.report).toMatch(/Declarations in src\/\*\*\/\*\.ts \| none looked at: .*src/);
  for (const [file] of readmes) expect(output.report).toContain(file);
});

const SHIPPED = fileURLToPath(new URL('../../../../packages/plugins/workflows/templates', import.meta.url));

verifies(
  'workflows.plain',
  'every shipped workflow is sound for this server, without a model',
  async (way) => {
    await using project = await makeProject({ env: NO_MODELS });
    await using server = await way.open(project);
    const { session } = server;
    for (const kind of ['workflow', 'graph'] as const) {
      const files = await readdir(`${SHIPPED}/${kind}s`);
      for (const file of files) {
        const template = `${kind}:${file.replace('.yaml', '')}`;
        const { result } = await session.call('run_workflow', { template, dryRun: true });
        const { faults, plan } = result.structuredContent;
        expect([template, faults]).toEqual([template, []]);
        expect(plan.length).toBeGreaterThan(1);
      }
    }
    const { result } = await session.call('run_workflow', {
      template: 'bug-fix',
      inputs: { report: 'It is broken.' },
    });
    expect(result._meta['nexus/error']).toMatchObject({ code: 'NEXUS_NO_MODEL', category: 'unavailable' });
  },
);

verifies(
  'workflows.named',
  'experts and ways to vote are those that the plugins say there are',
  async (way) => {
    const steps = `[{ id: a, uses: 'expert:tailor', with: { task: x } }, { id: b, uses: vote, with: { proposal: x, strategy: unanimus } }]`;
    await using project = await makeProject({
      files: { 'mine.yaml': `name: mine\ndescription: x\nsteps: ${steps}\n` },
      env: NO_MODELS,
    });
    await using server = await way.open(project);
    const { session } = server;
    const { result } = await session.call('run_workflow', { template: 'mine.yaml', dryRun: true });
    expect(result.structuredContent.faults).toMatchObject([
      { message: expect.stringMatching(/^there is no expert "tailor"; there are code, architecture, /) },
      { message: 'there is no voting strategy "unanimus"; did you mean unanimous?' },
    ]);
    const list = await session.call('list_experts', {});
    const there = list.result.structuredContent.experts.map(({ role }: { role: string }) => role);
    for (const template of ['audit', 'greenfield', 'general', 'dev']) {
      const dry = await session.call('run_pipeline', { task: 'x', template, dryRun: true });
      const experts = dry.result.structuredContent.stages.filter(
        ({ kind }: { kind: string }) => kind === 'expert',
      );
      expect(experts.length).toBeGreaterThan(1);
      for (const { by } of experts) expect(there).toContain(by);
    }
  },
);

verifies('workflows.denied', 'a denied tool stays denied, and what needs asking is not done', async (way) => {
  const workflow = (tool: string, given: string) =>
    `name: mine\ndescription: x\nsteps: [{ id: a, uses: 'tool:memory_stats' }, { id: b, uses: 'tool:${tool}', with: ${given} }]\n`;
  await using project = await makeProject({
    files: {
      'denied.yaml': workflow('memory_write', '{ backend: session, key: k, value: v }'),
      'allowed.yaml': workflow('memory_query', '{ query: k }'),
    },
    config: { permissions: { deny: ['memory_write'] } },
    env: NO_MODELS,
  });
  await using server = await way.open(project);
  const denied = await server.session.call('run_workflow', { template: 'denied.yaml' });
  expect(denied.result.content[0].text).toMatch(
    /denied\.yaml:3:.*there is no tool "memory_write" that you may call/,
  );
  const allowed = await server.session.call('run_workflow', { template: 'allowed.yaml' });
  expect(allowed.result.structuredContent).toMatchObject({ status: 'completed' });
});

import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { findPostgres, startPostgres } from '@nexus/testing';
import { describe, expect, vi } from 'vitest';
import { startHttpServer } from '../harness/http-server.ts';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { connectSdkClient } from '../harness/sdk-client.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { checkOut } from '../harness/team.ts';
import { isSlowStep, slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const RELATED_TASK = 'io.modelcontextprotocol/related-task';
const FORMS = { elicitation: { form: {} } };
const filled = { branch: 'main', channel: 'beta' };
const PATIENCE = { timeout: 30_000 };

/** What a client fills in that reads what it is asked: of something exact, the only choice that there is. */
function fillIn(schema: unknown): Record<string, string> {
  const { properties } = schema as { properties: Record<string, { enum?: string[] }> };
  const [digest] = properties.subject_digest?.enum ?? [];
  return digest === undefined ? filled : { subject_digest: digest };
}

verifiesApp(
  'runs.questions',
  'are put to the official client that waits, whole, and its answers are taken',
  async () => {
    await using project = await makeProject({ slowPlugin: true });
    await using server = await startHttpServer(project);
    const client = await connectSdkClient(server.url, server.token, FORMS);
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      const content = 'requestedSchema' in params ? fillIn(params.requestedSchema) : {};
      // The first time not as asked.
      return { action: 'accept', content: asked.length === 1 ? { branch: 'main' } : content };
    });
    const { structuredContent } = await client.callTool({
      name: 'slow_release',
      arguments: { to: 'prod\u202euction' },
    });
    expect(structuredContent).toMatchObject({ ...filled, count: 2, action: 'accept' });
    expect(asked).toEqual([
      'What is released?',
      expect.stringMatching(/^What was filled in does not fit: channel is required.\n\nWhat is released\?$/),
      expect.stringMatching(
        /^Deploy it\?[\s\S]*digest is [0-9a-f]{40}:[\s\S]*"tool": "deploy"[\s\S]*"to": "prod\\u202euction"/,
      ),
    ]);
    // Each answer is on the audit trail, by what it was for, and none of its words.
    const trail = await runNexus(project, ['audit', 'export']);
    const events = trail.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const answered = events.filter(({ kind }) => kind === 'approval.answered');
    expect(answered.map(({ data }) => data)).toMatchObject([
      { action: 'accept' },
      { action: 'accept', subject: expect.stringMatching(/^[0-9a-f]{40}/) },
    ]);
    expect(JSON.stringify(answered)).not.toContain('beta');
  },
);

slowlyVerifiesApp(
  'runs.questions',
  'take a person’s no for an answer, and a closed dialogue for none',
  async () => {
    await using project = await makeProject({ slowPlugin: true });
    await using server = await startHttpServer(project);
    const client = await connectSdkClient(server.url, server.token, FORMS);
    const actions = ['decline', 'cancel', 'decline'] as const;
    let at = 0;
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: actions[at++] ?? 'cancel' }));
    const left = await client.callTool({ name: 'slow_release', arguments: {} });
    const { code, detail } = (left._meta as Record<string, { code: string; detail: { runId: string } }>)[
      'nexus/error'
    ] ?? { code: '', detail: { runId: '' } };
    expect(code).toBe('NEXUS_INPUT_REQUIRED');
    expect(JSON.stringify(left.content)).toMatch(/It asks: Deploy it\?.*`nexus runs run_/);
    const again = await client.callTool({ name: 'resume_run', arguments: { runId: detail.runId } });
    expect(again.structuredContent).toMatchObject({ runId: detail.runId, action: 'decline' });
  },
);

slowlyVerifiesApp(
  'runs.questions',
  'of a task are put to the official client that waits for its result',
  async () => {
    await using project = await makeProject({ slowPlugin: true });
    await using server = await startHttpServer(project);
    const client = await connectSdkClient(server.url, server.token, FORMS);
    const asked: { message: string; taskId: unknown }[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push({ message: params.message, taskId: params._meta?.[RELATED_TASK]?.taskId });
      // The first dialogue is closed: it stays open, and the result is waited for.
      if (asked.length === 1) return { action: 'cancel' };
      return { action: 'accept', content: 'requestedSchema' in params ? fillIn(params.requestedSchema) : {} };
    });
    const seen: string[] = [];
    let taskId = '';
    const call = { name: 'slow_release', arguments: { to: 'production' } };
    const stream = client.experimental.tasks.callToolStream(call, CallToolResultSchema, { task: {} });
    const following = (async () => {
      for await (const message of stream) {
        if (message.type === 'taskCreated') taskId = message.task.taskId;
        if (message.type === 'taskStatus') seen.push(message.task.status);
        if (message.type === 'error') throw message.error;
        if (message.type === 'result') return message.result;
      }
      return undefined;
    })();
    await vi.waitFor(() => expect(asked).toHaveLength(1), PATIENCE);
    expect(seen).toContain('input_required');
    expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({ status: 'input_required' });
    // Another that waits for it is asked too, and answers.
    const again = client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    const result = await following;
    expect(result?.structuredContent).toMatchObject({ ...filled, count: 2, action: 'accept' });
    expect((await again).structuredContent).toEqual(result?.structuredContent);
    expect(asked.every((each) => each.taskId === taskId)).toBe(true);
    expect(asked.map(({ message }) => message.split('\n')[0])).toEqual(
      expect.arrayContaining(['What is released?', 'Deploy it?']),
    );
    expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({ status: 'completed' });
  },
);

async function throughAKill(project: SharedProject): Promise<void> {
  const server = await project.host();
  const { result } = await server.session.call('slow_release', { to: 'x' });
  expect(result._meta['nexus/error']).toMatchObject({
    code: 'NEXUS_INPUT_REQUIRED',
    detail: { requests: expect.any(Object), state: expect.any(String) },
  });
  const id = String(result._meta['nexus/error'].detail.runId);
  const answer = (...words: string[]) => runNexus(project, ['runs', 'answer', id.slice(0, 12), ...words]);
  expect(await answer('yes')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('branch is required'),
  });
  expect(await answer('branch=main', 'channel=gamma')).toMatchObject({ exitCode: 1 });
  expect((await answer('branch=007', 'channel=2')).stderr).toBe('');
  const asks = async () => JSON.parse((await runNexus(project, ['runs', id, '--json'])).stdout).asks;
  await vi.waitFor(async () => expect(await asks()).toMatchObject([{ name: 'deploy' }]), PATIENCE);
  expect(await answer('yes')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('digest') });
  const [{ digest }] = await asks();
  const { stdout: told } = await runNexus(project, ['doctor']);
  expect(told).toMatch(
    /Questions: 1 question of runs not answered, the oldest \d+ \w+ old[\s\S]*nexus runs answer/,
  );
  server.child.kill('SIGKILL');
  await server.exit();
  expect(await answer('yes', '--digest', digest.slice(0, 8))).toMatchObject({ exitCode: 0 });
  const next = await project.host();
  const done = await next.session.call('resume_run', { runId: id });
  expect(done.result.structuredContent).toMatchObject({
    branch: '007',
    channel: 'stable',
    count: 2,
    action: 'accept',
  });
}

/** The official client is asked, its server is killed under the open dialogue, and it is asked again. */
async function askedThroughAKill(project: SharedProject): Promise<void> {
  const open = { args: ['--no-auth'] };
  const first = await startHttpServer(project, open);
  const asked: string[] = [];
  const connect = async ({ url, token }: typeof first) => {
    const client = await connectSdkClient(url, token, FORMS);
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      // Nobody has answered when the server dies.
      if (asked.length === 1) return new Promise<never>(() => {});
      return { action: 'accept', content: 'requestedSchema' in params ? fillIn(params.requestedSchema) : {} };
    });
    return client.experimental.tasks;
  };
  const tasks = await connect(first);
  let taskId = '';
  const call = { name: 'slow_release', arguments: {} };
  const left = (async () => {
    for await (const message of tasks.callToolStream(call, CallToolResultSchema, { task: {} })) {
      if (message.type === 'taskCreated') taskId = message.task.taskId;
    }
  })().catch(() => {}); // its server is killed
  await vi.waitFor(() => expect(asked).toHaveLength(1), PATIENCE);
  first.process.child.kill('SIGKILL');
  await first.process.exit();
  await using next = await startHttpServer(project, open);
  const again = await connect(next);
  expect(await again.getTask(taskId)).toMatchObject({ taskId });
  const result = await again.getTaskResult(taskId, CallToolResultSchema);
  expect(result.structuredContent).toMatchObject({ ...filled, count: 2, action: 'accept' });
  expect(asked.map((message) => message.split('\n')[0])).toEqual([
    'What is released?',
    'What is released?',
    'Deploy it?',
  ]);
  void left;
}

slowlyVerifiesApp(
  'runs.questions',
  'are put to the official client again after its server was killed under the dialogue',
  async () => {
    await using project = await shareProject({ slowPlugin: true });
    await askedThroughAKill(project);
  },
);

slowlyVerifiesApp(
  'runs.questions',
  'end the call of a client that can’t be asked, and its run is waited for again',
  async () => {
    await using project = await shareProject({ slowPlugin: true });
    await throughAKill(project);
  },
);

const binaries = findPostgres();

describe.skipIf(!binaries || !isSlowStep)('on Postgres', () => {
  async function there(work: (project: SharedProject) => Promise<void>): Promise<void> {
    const postgres = await startPostgres(binaries ?? '');
    try {
      await using project = await checkOut({ databaseUrl: await postgres.createSchema() });
      await work(project);
    } finally {
      await postgres.stop();
    }
  }

  slowlyVerifiesApp('runs.questions', 'end the call, and its run is waited for again there too', () =>
    there(throughAKill),
  );

  slowlyVerifiesApp('runs.questions', 'are put to the official client again after a kill there too', () =>
    there(askedThroughAKill),
  );
});

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import { type AnyTool, defineTool } from '@nexus/plugin-sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorOf, startWorkflows, type WorkflowsUnderTest } from '../../test/workflows-under-test.ts';

let plugin: WorkflowsUnderTest;
let aheadMs = 0;
afterEach(async () => {
  aheadMs = 0;
  await plugin.stop();
});

async function start(steps: string, tools: readonly AnyTool[] = []) {
  plugin = await startWorkflows({
    testClock: () => Date.now() + aheadMs,
    tools,
    files: { '.nexus/workflows/mine.yaml': `name: mine\ndescription: A test.\nsteps:\n${steps}` },
  });
  return plugin;
}

const run = () => plugin.call('run_workflow', { template: 'mine' });
const outputOf = async (call: ReturnType<typeof run>) => (await call).structuredContent?.output;

/** The run that there is, once it asks. */
async function asking() {
  const { runs } = plugin.host;
  await expect
    .poll(async () => {
      const [first] = (await runs.list({ limit: 1 })).runs;
      return first && (await runs.get(first.id)).questions;
    })
    .toHaveLength(1);
  const [first] = (await runs.list({ limit: 1 })).runs;
  return runs.get(first?.id ?? '');
}

describe('a step that asks', () => {
  const ASK = `
  - id: go
    uses: ask
    with:
      message: 'Deploy \${{ upper(''x'') }}?'
      fields: [{ name: note, description: Why. }, { name: size, type: integer, required: false, default: 3 }]
      subject: { tool: deploy, arguments: { to: x } }
  - { id: done, uses: 'tool:note', if: '\${{ steps.go.output.action == ''accept'' }}', with: { text: '\${{ steps.go.output.content.note }}' } }
  - { id: left, uses: 'tool:echo', if: '\${{ steps.go.output.action == ''decline'' }}', with: { value: left } }
`;

  it('asks with its message, fields and subject, and gives the answer', async () => {
    await start(ASK);
    const call = run();
    const { id, questions } = await asking();
    expect(questions).toMatchObject([
      {
        message: 'Deploy X?',
        subject: { tool: 'deploy', arguments: { to: 'x' } },
        requestedSchema: {
          type: 'object',
          properties: {
            note: { type: 'string', description: 'Why.' },
            size: { type: 'integer', default: 3 },
          },
          required: ['note'],
        },
      },
    ]);
    const { digest = '' } = questions[0] ?? {};
    await plugin.host.runs.answer(id, { action: 'accept', content: { note: 'fine' } }, { digest });
    expect(await outputOf(call)).toEqual({
      go: { action: 'accept', content: { note: 'fine', size: 3 } },
      done: { length: 4 },
    });
  });

  it('is alone in being answered: a yes for a step of another kind is refused before that begins', async () => {
    await start(ASK);
    const call = run();
    const { id } = await asking();
    const { runs } = plugin.host;
    const yes = runs.answer(id, { action: 'accept' }, { question: 'done' });
    await expect(yes).rejects.toThrow(/asks nothing by the name "done".*goes by "go#1\/asks"\.$/);
    await runs.answer(id, { action: 'decline' });
    await call;
  });

  it('goes on after a no, which conditions can tell', async () => {
    await start(ASK);
    const call = run();
    const { id, questions } = await asking();
    await plugin.host.runs.answer(id, { action: 'decline' }, { digest: questions[0]?.digest ?? '' });
    expect(await outputOf(call)).toEqual({ go: { action: 'decline', content: {} }, left: { value: 'left' } });
    expect(plugin.calls.all).toEqual(['echo "left"']);
  });

  it('waits no longer than it says', async () => {
    await start(`  - { id: go, uses: ask, with: { message: Well?, expireAfter: 1s } }\n`);
    expect(await outputOf(run())).toEqual({ go: { action: 'cancel', content: {} } });
  });

  it('fails for what can be no question', async () => {
    await start(`  - { id: go, uses: ask, with: { message: '\${{ '''' }}' } }\n`);
    expect(errorOf(await run())).toMatchObject({ code: 'NEXUS_INVALID_ARGUMENTS', detail: { step: 'go' } });
  });
});

describe('a step that waits', () => {
  it('waits for a time, by the clock of the database', async () => {
    await start(`  - { id: rest, uses: wait, with: { for: 1s } }\n`);
    expect(await outputOf(run())).toMatchObject({ rest: { waitedMs: 1_000 } });
  });

  it('waits until a moment, which an expression may give', async () => {
    const until = new Date(Date.now() + 1_500).toISOString();
    await start(`  - { id: rest, uses: wait, with: { until: '\${{ ''${until}'' }}' } }
  - { id: past, uses: wait, with: { until: '2020-01-01T00:00:00Z' } }\n`);
    expect(await outputOf(run())).toMatchObject({ rest: { until }, past: { waitedMs: 0 } });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
  });

  const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  const scripted = (name: string, answers: () => unknown): AnyTool =>
    defineTool({
      name,
      title: name,
      description: 'Answers what the test says.',
      input: z.looseObject({}),
      output: z.looseObject({}),
      annotations: hints,
      budget: 'interactive',
      call: async () => answers() as Record<string, unknown>,
    });

  it('waits for a task of the bus, and keeps nothing of the looks in between', async () => {
    const states = ['pending', 'leased', 'done'];
    const tool = scripted('task_status', () => ({
      tasks: [{ status: states.shift() }],
      detail: { result: { value: 7 } },
    }));
    await start(`  - { id: built, uses: wait, with: { task: task_1 } }\n`, [tool]);
    expect(await outputOf(run())).toEqual({
      built: { taskId: 'task_1', status: 'done', result: { value: 7 } },
    });
    expect(states).toEqual([]);
    const [done] = (await plugin.host.runs.list({ limit: 1 })).runs;
    const events = await plugin.host.runs.events(done?.id ?? '');
    const looks = events.filter(({ step }) => step?.endsWith('/looks'));
    expect(looks.map(({ type }) => type)).toEqual(['step.started', 'step.completed']);
  });

  it('waits for no longer than it says', async () => {
    const tool = scripted('task_status', () => ({ tasks: [{ status: 'pending' }] }));
    await start(`  - { id: built, uses: wait, with: { task: task_1, expireAfter: 1s } }\n`, [tool]);
    expect(errorOf(await run())).toMatchObject({ code: 'NEXUS_TIMEOUT' });
  });

  it('takes a message once it has it on record', async () => {
    const asked: unknown[] = [];
    const part = { from: 0, to: 2, of: 5 };
    const inbox = [
      [],
      [{ messageId: 'm1', body: 'go', part }],
      [{ messageId: 'm1', body: ' on', part: { ...part, from: 2, to: 5 } }],
      [{ messageId: 'm2', body: 'something else' }],
      [],
    ];
    const tools = [
      scripted('register_worker', () => ({ name: 'me' })),
      defineTool({
        name: 'fetch_inbox',
        title: 'Inbox',
        description: 'Answers what the test says.',
        input: z.looseObject({ ack: z.array(z.string()).optional().describe('Which.') }),
        output: z.looseObject({}),
        annotations: hints,
        budget: 'interactive',
        async call(given) {
          asked.push(given);
          return { messages: inbox.shift() };
        },
      }),
    ];
    await start(`  - { id: word, uses: wait, with: { message: { to: me, thread: t1 } } }\n`, tools);
    expect(await outputOf(run())).toEqual({ word: { messageId: 'm1', body: 'go on' } });
    const look = { worker: 'me', view: 'new', limit: 1, threadId: 't1', mark: 'delivered' };
    const rest = (from: number) => ({ worker: 'me', view: 'all', limit: 1, cursor: `m1+${from}` });
    expect(asked).toEqual([
      look,
      look,
      rest(2),
      rest(5),
      { worker: 'me', view: 'sent', limit: 1, ack: ['m1'] },
    ]);
  });

  it('is not begun where the bus is not there', async () => {
    await start(`  - { id: built, uses: wait, with: { task: task_1 } }\n`);
    expect(errorOf(await run())).toMatchObject({
      code: 'NEXUS_INVALID_ARGUMENTS',
      text: expect.stringContaining('there is no tool "task_status"'),
    });
  });
});

it('says what of a question or a wait is wrong before it is run', async () => {
  await start(`
  - { id: a, uses: ask, retries: 1, with: { fields: [{ name: 1x }] } }
  - { id: b, uses: wait, timeoutMs: 5, with: { for: 1s, until: '2030-01-01T00:00:00Z' } }
  - { id: c, uses: wait, with: { for: soon } }
  - { id: d, uses: wait, with: { for: 1s, expireAfter: 2s } }
  - { id: e, uses: await }
`);
  const { text } = errorOf(await run());
  for (const each of [
    'a.*retries|steps.0.retries: is of no use to ask',
    'steps.0.with: "message" is missing',
    'steps.0.with.fields.0.name: must be letters',
    'steps.1.timeoutMs: is of no use to wait',
    'steps.1.with: must have exactly one of for, until, message, task',
    'steps.2.with.for: must be a number and a unit',
    'steps.3.with.expireAfter: is of a wait for a message or a task',
    'steps.4.uses: "await" is none of tool:<name>, expert:<role>, vote, prove, ask and wait; did you mean wait',
  ]) {
    expect(text).toMatch(new RegExp(each));
  }
});

describe('a workflow with a concurrency group', () => {
  const grouped = (onConflict: string) =>
    `name: mine\ndescription: A test.\ninputs: [{ name: to, default: x, description: Where. }]
concurrency: { group: 'deploy-\${{ inputs.to }}', onConflict: ${onConflict} }
steps: [{ id: go, uses: ask, with: { message: Well? } }]\n`;

  it('is refused while another of its group is not over, and not for another value', async () => {
    await start('');
    plugin.write('.nexus/workflows/mine.yaml', grouped('refuse'));
    const first = run();
    const { id } = await asking();
    expect(errorOf(await run())).toMatchObject({
      code: 'NEXUS_CONFLICT',
      detail: { key: 'deploy-x', limit: 1, runId: id },
    });
    const other = plugin.call('run_workflow', { template: 'mine', inputs: { to: 'y' } });
    await expect.poll(async () => (await plugin.host.runs.list({ limit: 9 })).total).toBe(2);
    for (const each of (await plugin.host.runs.list({ limit: 9 })).runs)
      await plugin.host.runs.cancel(each.id);
    await Promise.all([first, other]);
  });

  it('names inputs alone in its group', async () => {
    await start('');
    plugin.write('.nexus/workflows/mine.yaml', grouped('later').replace('inputs.to', 'steps.go.output'));
    const { text } = errorOf(await run());
    expect(text).toMatch(/concurrency.onConflict: must be one of queue, refuse, cancel-older/);
    expect(text).toMatch(/concurrency.group: "steps" stands for nothing here/);
  });
});

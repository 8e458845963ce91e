// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import { afterEach, describe, expect, it } from 'vitest';
import { startWorkflows, type WorkflowsUnderTest } from '../../test/workflows-under-test.ts';

let plugin: WorkflowsUnderTest;
afterEach(() => plugin.stop());

async function start(text: string) {
  plugin = await startWorkflows({
    files: { '.nexus/workflows/mine.yaml': `name: mine\ndescription: A test.\n${text}` },
  });
}

interface Answer {
  readonly runId: string;
  readonly finalState: Record<string, unknown>;
  readonly output: unknown;
  readonly summary: string;
  readonly nodesExecuted: readonly { readonly id: string; readonly visits: number }[];
  readonly checkpoints: readonly { readonly id: string; readonly status: string }[];
}

const run = (args: object = { workflow: 'mine' }) => plugin.answer<Answer>('run_graph_workflow', { ...args });
const visits = ({ nodesExecuted }: Answer) =>
  Object.fromEntries(nodesExecuted.map(({ id, visits: count }) => [id, count]));

const LOOP = `
inputs: [{ name: good, type: number, default: 3, description: Which try is good. }]
state: { draft: none, tries: [] }
nodes:
  - { id: plan, uses: 'tool:echo', with: { value: plan } }
  - id: write
    uses: tool:echo
    with: { value: 'draft \${{ visit }} after \${{ state.draft }}' }
    set: { draft: '\${{ output.value }}' }
  - { id: review, uses: 'tool:echo', with: { value: '\${{ nodes.write.visits }}' } }
  - { id: publish, uses: 'tool:note', with: { text: '\${{ state.draft }}' } }
  - { id: give_up, uses: 'tool:echo', with: { value: too bad } }
edges:
  - { from: plan, to: write }
  - { from: write, to: review }
  - { from: review, to: write, if: '\${{ output.value < inputs.good }}', atMost: 2 }
  - { from: review, to: publish, if: '\${{ output.value >= inputs.good }}' }
  - { from: review, to: give_up, if: '\${{ output.value < inputs.good }}' }
`;

describe('run_graph_workflow', () => {
  it('goes back while a condition holds, with the state that its nodes left, and forward after', async () => {
    await start(LOOP);
    const answer = await run();
    expect(visits(answer)).toEqual({ plan: 1, write: 3, review: 3, publish: 1 });
    expect(answer.finalState).toEqual({
      draft: 'draft 3 after draft 2 after draft 1 after none',
      tries: [],
    });
    expect(answer.output).toEqual(answer.finalState);
    expect(answer.summary).toContain('Visited: plan, write (3 times), review (3 times), publish.');
    expect(answer.checkpoints.map(({ id }) => id)).toEqual([
      'plan#1',
      'write#1',
      'review#1',
      'write#2',
      'review#2',
      'write#3',
      'review#3',
      'publish#1',
    ]);
  });

  it('goes back no oftener than its edge says, and takes the other way then', async () => {
    await start(LOOP);
    const answer = await run({ workflow: 'mine', inputs: { good: 99 } });
    expect(visits(answer)).toEqual({ plan: 1, write: 3, review: 3, give_up: 1 });
    expect(visits(await run({ workflow: 'mine', inputs: { good: 1 } }))).toEqual({
      plan: 1,
      write: 1,
      review: 1,
      publish: 1,
    });
  });

  it('visits a node once all that lead to it have ended, where one of them leads there', async () => {
    await start(`
nodes:
  - { id: a, uses: 'tool:echo', with: { value: 1 } }
  - { id: b, uses: 'tool:echo', with: { value: 2 } }
  - { id: c, uses: 'tool:echo', with: { value: 3 } }
  - { id: none, uses: 'tool:echo', with: { value: 4 } }
  - { id: join, uses: 'tool:echo', with: { value: '\${{ nodes.b.output.value }}\${{ nodes.none.output.value }}' } }
edges:
  - { from: a, to: b, if: '\${{ output.value == 1 }}' }
  - { from: a, to: none, if: '\${{ output.value == 2 }}' }
  - { from: b, to: join }
  - { from: c, to: join, if: false }
  - { from: none, to: join }
outputs: { joined: '\${{ nodes.join.output.value }}' }
`);
    const answer = await run();
    expect(visits(answer)).toEqual({ a: 1, b: 1, c: 1, join: 1 });
    expect(answer.output).toEqual({ joined: '2' });
  });

  it('visits anew, on a way back, only what the run comes through again', async () => {
    await start(`
nodes:
  - { id: a, uses: 'tool:echo', with: { value: '\${{ visit }}' } }
  - { id: once, uses: 'tool:echo', with: { value: 0 } }
  - { id: b, uses: 'tool:echo', with: { value: '\${{ visit }}' } }
  - { id: end, uses: 'tool:echo', with: { value: '\${{ nodes.once.visits }}\${{ nodes.b.visits }}' } }
edges:
  - { from: a, to: once, if: '\${{ output.value == 1 }}' }
  - { from: a, to: b }
  - { from: b, to: a, if: '\${{ output.value < 3 }}', atMost: 9 }
  - { from: once, to: end }
  - { from: b, to: end }
`);
    expect(visits(await run())).toEqual({ a: 3, once: 1, b: 3, end: 1 });
    expect(plugin.calls.all.at(-1)).toBe('echo "13"');
  });

  it('does a node for each item, and gathers them before it goes on, back too', async () => {
    await start(`
state: { found: [] }
nodes:
  - id: each
    uses: tool:echo
    forEach: '\${{ split(''a,b,c'', '','') }}'
    with: { value: '\${{ item }}\${{ index }}\${{ visit }}' }
    set: { found: '\${{ pluck(output, ''value'') }}' }
  - { id: end, uses: 'tool:echo', with: { value: '\${{ state.found }}' } }
edges:
  - { from: each, to: each, if: '\${{ visit < 2 }}', atMost: 5 }
  - { from: each, to: end }
`);
    const answer = await run();
    expect(answer.finalState).toEqual({ found: ['a02', 'b12', 'c22'] });
    expect(visits(answer)).toEqual({ each: 2, end: 1 });
    expect(plugin.calls.all).toHaveLength(7);
  });

  it('is done again from a checkpoint as a new run that names its parent', async () => {
    await start(LOOP);
    const first = await run();
    const before = plugin.calls.all.length;
    const again = await plugin.resume<Answer>(String(first.runId), { from: 'review#3' });
    expect(plugin.calls.all.slice(before)).toEqual([
      'echo 3',
      'note draft 3 after draft 2 after draft 1 after none',
    ]);
    expect(again.finalState).toEqual(first.finalState);
    expect((await plugin.host.runs.get(again.runId)).rerunOf).toBe(first.runId);
    await expect(plugin.resume(String(first.runId), { from: 'reveiw#3' })).rejects.toThrow(
      /has no step "reveiw#3". It has: .*review#3/,
    );
  });

  it('answers a run that has ended, by its runId, without doing anything', async () => {
    await start(LOOP);
    const first = await run();
    const before = plugin.calls.all.length;
    expect((await plugin.resume<Answer>(String(first.runId))).finalState).toEqual(first.finalState);
    expect(plugin.calls.all).toHaveLength(before);
  });

  it('lists graphs', async () => {
    await start(LOOP);
    const { graphs } = await plugin.answer<{ graphs: { name: string }[] }>('run_graph_workflow', {
      workflow: 'list',
    });
    expect(graphs.map(({ name }) => name)).toContain('mine');
  });
});

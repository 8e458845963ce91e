// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import { ToolError } from '@nexus/plugin-sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { scriptedVote } from '../../test/dev-team.ts';
import { scriptedExperts } from '../../test/scripted-experts.ts';
import {
  errorOf,
  startWorkflows,
  type UnderTestOptions,
  type WorkflowsUnderTest,
} from '../../test/workflows-under-test.ts';

let plugin: WorkflowsUnderTest;
afterEach(() => plugin.stop());

async function start(text: string, options: UnderTestOptions = {}) {
  plugin = await startWorkflows({
    ...options,
    files: { '.nexus/workflows/mine.yaml': text, ...options.files },
  });
  return plugin;
}

interface Answer {
  readonly runId: string;
  readonly output: Record<string, unknown>;
  readonly summary: string;
  readonly steps: readonly { readonly id: string; readonly status: string; readonly output?: unknown }[];
}

const run = (inputs: object = {}, more: object = {}) =>
  plugin.answer<Answer>('run_workflow', { template: 'mine', inputs, ...more });
const failing = async (inputs: object = {}, more: object = {}) =>
  errorOf(await plugin.call('run_workflow', { template: 'mine', inputs, ...more }));

const HEAD = 'name: mine\ndescription: A test.\n';

describe('run_workflow', () => {
  it('gives steps what expressions come to, whole values with their types', async () => {
    await start(`${HEAD}
inputs:
  - { name: list, type: array, required: true, description: What. }
  - { name: word, default: none, description: What. }
steps:
  - { id: first, uses: 'tool:echo', with: { value: '\${{ inputs.list }}' } }
  - id: second
    uses: tool:echo
    with:
      value: { length: '\${{ length(steps.first.output.value) }}', text: 'n=\${{ steps.first.output.value[1] }} \${{ inputs.word }}' }
outputs:
  second: \${{ steps.second.output.value }}
  alone: \${{ steps.first.output.value }}
`);
    const answer = await run({ list: [1, { a: true }] });
    expect(answer.output).toEqual({
      second: { length: 2, text: 'n={"a":true} none' },
      alone: [1, { a: true }],
    });
    expect(answer.summary).toContain('2 of 2 steps done');
    expect(plugin.calls.all).toHaveLength(2);
  });

  it('tells a long output of a step once, where the workflow’s own has it', async () => {
    await start(`${HEAD}
steps:
  - { id: one, uses: 'tool:echo', with: { value: '\${{ inputs.text }}' } }
inputs:
  - { name: text, required: true, description: What. }
`);
    const text = 'word '.repeat(100);
    const { steps, output } = await run({ text });
    expect(output).toEqual({ one: { value: text } });
    expect(steps).toEqual([{ id: 'one', status: 'completed' }]);
  });

  it('runs side by side what does not need each other, and the rest after what it names', async () => {
    await start(`${HEAD}
steps:
  - { id: last, uses: 'tool:echo', with: { value: last }, needs: [a], if: '\${{ steps.b.output.value == ''b'' }}' }
  - { id: a, uses: 'tool:echo', with: { value: a } }
  - { id: b, uses: 'tool:echo', with: { value: b } }
`);
    const begun = new Set<string>();
    plugin.calls.onCall = async (what) => {
      begun.add(what);
      if (what !== 'echo "last"') await expect.poll(() => begun.size).toBe(2);
    };
    const { steps } = await run();
    expect(plugin.calls.all.at(-1)).toBe('echo "last"');
    expect(steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  });

  it('leaves out a step whose condition does not hold, and judges those after it by their own', async () => {
    await start(`${HEAD}
steps:
  - { id: never, uses: 'tool:echo', with: { value: 1 }, if: '\${{ 1 > 2 }}' }
  - { id: off, uses: 'tool:echo', with: { value: 1 }, if: false }
  - id: block
    uses: tool:echo
    with: { value: 1 }
    if: |
      \${{ 1 > 3 }}
  - { id: after, uses: 'tool:echo', with: { value: '\${{ steps.never.status }}:\${{ steps.never.output.value }}' } }
`);
    const { steps, output, summary } = await run();
    expect(steps.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'skipped', 'completed']);
    expect(output).toEqual({ after: { value: 'skipped:' } });
    expect(summary).toContain(
      'Left out: never (only if `1 > 2`), off (only if `false`), block (only if `1 > 3`).',
    );
  });

  it('answers four reports of real size whole, each once in its text, and the run behind them', async () => {
    await start(`${HEAD}
inputs: [{ name: reports, type: array, required: true, description: What. }]
steps:
  - { id: each, uses: 'tool:echo', forEach: '\${{ inputs.reports }}', with: { value: '\${{ item }}' } }
outputs: { reports: '\${{ pluck(steps.each.output, ''value'') }}', first: '\${{ inputs.reports[0] }}' }
`);
    const reports = ['a', 'b', 'c', 'd'].map((mark) => `BEGIN-${mark} ${mark.repeat(5_400)} END-${mark}`);
    const { content, structuredContent } = await plugin.call('run_workflow', {
      template: 'mine',
      inputs: { reports },
    });
    const text = content[0]?.text ?? '';
    const json = text.slice(text.indexOf('```json') + 8, text.lastIndexOf('\n```'));
    expect(JSON.parse(json)).toEqual(reports);
    for (const mark of ['b', 'c', 'd']) expect(text.split(`END-${mark}`)).toHaveLength(2);
    expect(text).toContain(`## first\n\n${reports[0]}`);
    expect(text.indexOf('## reports')).toBeLessThan(text.indexOf('1 of 1 step done'));
    expect(text).toContain(`nexus://runs/${structuredContent?.runId}`);
    expect(structuredContent?.output).toEqual({ reports, first: reports[0] });
    expect(String(structuredContent?.summary)).not.toContain('END-');
  });

  it('does a step for each item, so many at once, and keeps their order', async () => {
    await start(`${HEAD}
inputs: [{ name: words, type: array, description: What. }]
steps:
  - { id: each, uses: 'tool:echo', forEach: '\${{ inputs.words }}', concurrency: 2, with: { value: '\${{ index }}\${{ item.w }}' } }
outputs: { all: '\${{ pluck(steps.each.output, ''value'') }}' }
`);
    let atOnce = 0;
    let most = 0;
    plugin.calls.onCall = async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
    };
    const words = ['a', 'b', 'c', 'd', 'e'].map((w) => ({ w }));
    expect((await run({ words })).output).toEqual({ all: ['0a', '1b', '2c', '3d', '4e'] });
    expect(most).toBeLessThanOrEqual(2);
    expect((await run({ words: [] })).output).toEqual({ all: [] });
    expect((await failing({ words: null })).text).toMatch(
      /forEach of each must come to a list; it came to nothing/,
    );
    expect((await failing({ words: Array(10_001).fill({ w: 1 }) })).text).toMatch(
      /10001 items; at most 10000/,
    );
  });

  it('names the step of each item by the item, or where that is no text by its place', async () => {
    await start(`${HEAD}
inputs: [{ name: words, type: array, description: What. }]
steps:
  - { id: each, title: Documents, uses: 'tool:echo', forEach: '\${{ inputs.words }}', with: { value: x } }
`);
    const long = 'long '.repeat(40);
    const { structuredContent } = await plugin.call('run_workflow', {
      template: 'mine',
      inputs: { words: ['README', 7, { w: 1 }, long] },
    });
    const { steps } = await plugin.host.runs.get(String(structuredContent?.runId));
    const titles = steps.map(({ title }) => title).filter((title) => title.startsWith('Documents'));
    expect(titles.sort()).toEqual([
      'Documents: 3',
      'Documents: 7',
      'Documents: README',
      `Documents: ${long.slice(0, 60)}…`,
    ]);
  });

  it('tries a step again as often as it says, and not for what stays the same', async () => {
    const step = (retries: number, uses: string) =>
      `${HEAD}steps:\n  - { id: one, uses: 'tool:${uses}', retries: ${retries} }\n`;
    await start(`${HEAD}steps:\n  - { id: one, uses: 'tool:fail_until', retries: 2, with: { times: 2 } }\n`);
    expect((await run()).output).toEqual({ one: { calls: 2 } });
    plugin.calls.all.length = 0;
    plugin.write(
      '.nexus/workflows/mine.yaml',
      `${HEAD}steps:\n  - { id: one, uses: 'tool:fail_until', with: { times: 2 } }\n`,
    );
    expect(await failing()).toMatchObject({ code: 'NEXUS_UNAVAILABLE', detail: { tool: 'fail_until' } });
    expect(plugin.calls.all).toHaveLength(1);
    plugin.write('.nexus/workflows/mine.yaml', step(5, 'note'));
    expect(await failing()).toMatchObject({ code: 'NEXUS_INVALID_ARGUMENTS' });
  });

  it('tries a tool that may not run twice again only where it surely did nothing', async () => {
    const step = (more: string) =>
      `${HEAD}steps:\n  - { id: one, uses: 'tool:note', retries: 2, with: { text: x }${more} }\n`;
    await start(step(''));
    const fails = (error: Error) => {
      plugin.calls.all.length = 0;
      plugin.calls.onCall = async () => {
        if (plugin.calls.all.length === 1) throw error;
      };
    };
    for (const [error, told] of [
      [new ToolError('NEXUS_TIMEOUT', 'too late'), 'NEXUS_OUTCOME_UNKNOWN'],
      [new ToolError('NEXUS_TOOL_FAILED', 'broken'), 'NEXUS_TOOL_FAILED'],
    ] as const) {
      fails(error);
      const { code, text } = await failing();
      expect({ code, calls: plugin.calls.all }).toEqual({ code: told, calls: ['note x'] });
      expect(text).toMatch(/Not tried again: note states neither readOnlyHint nor idempotentHint/);
    }
    fails(new ToolError('NEXUS_UNAVAILABLE', 'not reached'));
    await run();
    expect(plugin.calls.all).toEqual(['note x', 'note x']);
    plugin.write('.nexus/workflows/mine.yaml', step(', timeoutMs: 20'));
    plugin.calls.all.length = 0;
    plugin.calls.onCall = () => new Promise(() => {});
    expect(await failing()).toMatchObject({ code: 'NEXUS_OUTCOME_UNKNOWN' });
    expect(plugin.calls.all).toEqual(['note x']);
  });

  it('ends a step at its time', async () => {
    await start(`${HEAD}steps:\n  - { id: slow, uses: 'tool:echo', timeoutMs: 20, with: { value: 1 } }\n`);
    plugin.calls.onCall = () => new Promise(() => {});
    expect(await failing()).toMatchObject({ code: 'NEXUS_TIMEOUT' });
  });

  it('never reads an input or an output as an expression', async () => {
    await start(`${HEAD}
inputs: [{ name: text, description: What. }]
steps:
  - { id: a, uses: 'tool:echo', with: { value: '\${{ inputs.text }}' } }
  - { id: b, uses: 'tool:echo', with: { value: 'x \${{ steps.a.output.value }}' } }
`);
    const text = "${{ inputs.text }} ${{ toJson(inputs) }} }} '";
    expect((await run({ text })).output).toEqual({ a: { value: text }, b: { value: `x ${text}` } });
  });

  it('says every input that is missing or wrong, and knows no others', async () => {
    await start(`${HEAD}
inputs:
  - { name: task, required: true, description: What is wanted. }
  - { name: count, type: number, description: How many. }
steps:
  - { id: a, uses: 'tool:echo' }
`);
    const { code, detail } = await failing({ count: '3', taks: 'x' });
    expect({ code, detail }).toEqual({
      code: 'NEXUS_INVALID_ARGUMENTS',
      detail: {
        missing: ['task'],
        faults: [
          'there is no input "taks"; did you mean task?',
          '"count" takes a value of type number, not "3"',
        ],
      },
    });
    expect(plugin.calls.all).toEqual([]);
  });

  it('does nothing in a dry run, and tells the plan with what it lacks', async () => {
    await start(`${HEAD}
inputs: [{ name: task, required: true, description: What. }]
steps:
  - { id: b, uses: 'tool:note', with: { text: '\${{ steps.a.output.value }}' } }
  - { id: a, uses: 'tool:echo', with: { value: '\${{ inputs.task }}' } }
  - { id: c, uses: 'expert:code', with: { task: x } }
  - { id: d, uses: vote, with: { proposal: x } }
`);
    const dry = await plugin.answer('run_workflow', { template: 'mine', dryRun: true });
    expect(dry).toMatchObject({
      status: 'faulty',
      missingInputs: ['task'],
      plan: [{ id: 'a', needs: [] }, { id: 'c' }, { id: 'd' }, { id: 'b', needs: ['a'] }],
      faults: [
        { line: 8, message: expect.stringMatching(/NEXUS_UNAVAILABLE: the plugin "experts"/) },
        { line: 9, message: expect.stringMatching(/NEXUS_UNAVAILABLE: the plugin "consensus"/) },
      ],
    });
    expect(plugin.calls.all).toEqual([]);
    expect((await plugin.host.runs.list({ limit: 9 })).total).toBe(0);
    expect(await failing({ task: 'x' })).toMatchObject({
      code: 'NEXUS_UNAVAILABLE',
      detail: { plugin: 'experts' },
    });
  });

  it('names no expert and no way to vote that the plugins have not, and says so before anything is done', async () => {
    const experts = { ...scriptedExperts(() => 'Done.'), choices: { role: ['sous-chef'] } };
    const ballots = {
      ...scriptedVote(() => 'approved'),
      choices: { strategy: ['by_lot'], errorPolicy: ['ask_again'] },
    };
    const file = `${HEAD}
inputs: [{ name: how, default: by_lott, description: What. }]
steps:
  - { id: a, uses: 'expert:sous-cheff', with: { task: x } }
  - { id: b, uses: 'expert:sous-chef', with: { task: x } }
  - { id: c, uses: vote, with: { proposal: x, strategy: by_lots, errorPolicy: ask_agian } }
  - { id: d, uses: vote, with: { proposal: x, strategy: by_lot, errorPolicy: ask_again } }
  - { id: e, uses: vote, with: { proposal: x, strategy: '\${{ inputs.how }}' } }
`;
    await start(file, { kinds: [experts, ballots] });
    const { code, detail } = await failing();
    expect(code).toBe('NEXUS_INVALID_ARGUMENTS');
    expect(detail?.faults).toMatchObject([
      { line: 6, path: 'steps.0.uses', message: 'there is no expert "sous-cheff"; did you mean sous-chef?' },
      {
        ...{ line: 8, path: 'steps.2.with.strategy' },
        message: 'there is no voting strategy "by_lots"; did you mean by_lot?',
      },
      {
        ...{ line: 8, path: 'steps.2.with.errorPolicy' },
        message: 'there is no error policy "ask_agian"; did you mean ask_again?',
      },
    ]);
    expect((await plugin.host.runs.list({ limit: 9 })).total).toBe(0);
  });

  it('calls no tool that its caller may not call, and says so before anything is done', async () => {
    await start(`${HEAD}
steps:
  - { id: a, uses: 'tool:echo', with: { valeu: 1 } }
  - { id: b, uses: 'tool:noet', with: { text: x } }
  - { id: c, uses: 'tool:note', with: { text: 5 } }
  - { id: d, uses: 'tool:note', with: { text: '\${{ inputs }}' } }
`);
    const { code, detail } = await failing();
    expect(code).toBe('NEXUS_INVALID_ARGUMENTS');
    expect(detail?.faults).toMatchObject([
      { line: 5, path: 'steps.0.with.value', message: expect.stringMatching(/^is missing/) },
      { line: 5, path: 'steps.0.with.valeu', message: 'no such argument; did you mean value?' },
      {
        line: 6,
        column: 20,
        path: 'steps.1.uses',
        message: expect.stringMatching(/no tool "noet" that you may call; did you mean note\?/),
      },
      { line: 7, path: 'steps.2.with.text' },
    ]);
    expect(plugin.calls.all).toEqual([]);
  });

  it('goes on as it began, whatever becomes of its file, and is found again by its key', async () => {
    await start(`${HEAD}
steps:
  - { id: a, uses: 'tool:echo', with: { value: old } }
  - { id: b, uses: 'tool:echo', with: { value: '\${{ steps.a.output.value }}' } }
`);
    plugin.calls.onCall = (what) => {
      if (plugin.calls.all.length === 1)
        plugin.write(
          '.nexus/workflows/mine.yaml',
          `${HEAD}steps:\n  - { id: z, uses: 'tool:echo', with: { value: 1 } }\n`,
        );
      return what;
    };
    const first = await run({}, { idempotencyKey: 'k' });
    expect(first.output).toEqual({ a: { value: 'old' }, b: { value: 'old' } });
    expect((await run({}, { idempotencyKey: 'k' })).runId).toBe(first.runId);
    expect((await run()).steps.map(({ id }) => id)).toEqual(['z']);
  });

  it('is taken up by its runId where a step had failed, and repeats none before it', async () => {
    await start(`${HEAD}
steps:
  - { id: a, uses: 'tool:note', with: { text: once } }
  - { id: b, uses: 'tool:fail_until', with: { times: 2 }, needs: [a] }
`);
    const { detail } = await failing();
    const answer = await plugin.resume<Answer>(String(detail?.runId));
    expect(answer.steps.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(plugin.calls.all.filter((each) => each === 'note once')).toHaveLength(1);
    expect(answer.runId).not.toBe(detail?.runId);
    expect((await plugin.host.runs.get(answer.runId)).rerunOf).toBe(detail?.runId);
  });

  it('is run again with another input that it would begin with, and called by that', async () => {
    await start(`${HEAD}
inputs: [{ name: version, required: true, description: Which. }]
concurrency: { group: 'release-\${{ inputs.version }}' }
steps:
  - { id: a, uses: 'tool:note', with: { text: '\${{ inputs.version }}' } }
`);
    const { runs } = plugin.host;
    const { runId } = await run({ version: 'one' });
    for (const [input, fault] of [
      [{ inputs: { version: null } }, '"version" is missing: Which.'],
      [{ inputs: { version: 'x', other: 1 } }, 'there is no input "other"'],
      [{ version: 'x' }, 'The input of a workflow\'s run is {"inputs": {…}}'],
    ] as const) {
      const refused = { code: 'NEXUS_INVALID_ARGUMENTS', message: expect.stringContaining(fault) };
      await expect(runs.planRerun(runId, { input })).rejects.toMatchObject(refused);
      await expect(runs.rerun(runId, { input })).rejects.toMatchObject(refused);
    }
    expect(plugin.calls.all).toEqual(['note one']);
    const again = await runs.rerun(runId, { input: { inputs: { version: 'two' } } });
    expect(again.title).toBe('mine: two');
    await expect.poll(() => plugin.calls.all).toEqual(['note one', 'note two']);
  });

  it('is taken up without doing again what ended beside the step that failed', async () => {
    await start(`${HEAD}
steps:
  - { id: a, uses: 'tool:fail_until', with: { times: 2 } }
  - { id: b, uses: 'tool:note', with: { text: beside } }
  - { id: c, uses: 'tool:echo', with: { value: '\${{ steps.a.output.calls }}\${{ steps.b.output.length }}' } }
`);
    // It ends when the other one has failed.
    plugin.calls.onCall = async (what) => {
      if (what === 'note beside') await expect.poll(() => plugin.calls.all).toContain('fail_until');
    };
    const { detail } = await failing();
    const answer = await plugin.resume<Answer>(String(detail?.runId));
    expect(answer.output).toMatchObject({ c: { value: '26' } });
    expect(plugin.calls.all.filter((each) => each === 'note beside')).toHaveLength(1);
  });

  it('refuses a graph, and to begin without a template', async () => {
    await start(`${HEAD}nodes: [{ id: a, uses: 'tool:echo', with: { value: 1 } }]\n`);
    expect((await failing()).text).toMatch(/is a graph; run it by run_graph_workflow/);
    expect(errorOf(await plugin.call('run_workflow', {})).text).toMatch(/template: is missing/);
  });
});

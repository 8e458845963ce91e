import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  definePlugin,
  defineRun,
  defineTool,
  type ProveInput,
  type ProveOutput,
  prove,
} from '@nexus/plugin-sdk';
import { leaveRun, type PluginUnderTest, startPlugin } from '@nexus/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Asked, askedOf, promptOf, scriptedTeam } from '../../test/scripted-team.ts';
import experts from '../index.ts';

const TOTAL = ['export function total(prices: number[]): number {', '  return prices[0] ?? 0;', '}', ''].join(
  '\n',
);

const TWO = {
  steps: [
    { id: 'look', expert: 'code', title: 'Look', task: 'Say how it adds.' },
    { id: 'tests', expert: 'testing', title: 'Tests', task: 'Say how it is tested.' },
  ],
};

interface Answer {
  readonly runId: string;
  readonly summary: string;
  readonly effort: string;
  readonly recommendations: readonly string[];
  readonly faults: readonly object[];
  readonly missing: readonly string[];
  readonly contradictions: readonly { readonly holds: string; readonly isSettled: boolean }[];
  readonly steps: readonly {
    readonly status: string;
    readonly basis: string;
    readonly tries: number;
    readonly output: string;
    readonly missing: readonly string[];
    readonly references: readonly {
      readonly tool: string;
      readonly path?: string;
      readonly digest: string;
    }[];
  }[];
}

let plugin: PluginUnderTest;
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nexus-ground-'));
  mkdirSync(dirname(join(root, 'src/total.ts')));
  writeFileSync(join(root, 'src/total.ts'), TOTAL);
});
afterEach(async () => {
  await plugin.stop();
  rmSync(root, { recursive: true, force: true });
});

const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** The experts beside the tools that the plugin `code` has, as far as they matter here. */
const withCode = definePlugin({
  ...experts,
  tools: [
    ...experts.tools,
    defineTool({
      name: 'read_file',
      title: 'Read',
      description: 'Reads a file.',
      input: z.object({
        path: z.string().max(100).describe('Which.'),
        lines: z.string().max(20).optional().describe('Which.'),
      }),
      output: z.object({ text: z.string() }),
      // As it is read: each line after its number, below the name of the file.
      text: ({ text }) => {
        const lines = text
          .trimEnd()
          .split('\n')
          .map((line, at) => `${at + 1}\t${line}`);
        return [`src/total.ts: lines 1 to ${lines.length} of ${lines.length} lines.`, ...lines].join('\n');
      },
      annotations: hints,
      budget: 'interactive',
      call: async () => ({ text: TOTAL }),
    }),
    defineTool({
      name: 'search_codebase',
      title: 'Search',
      description: 'Searches.',
      input: z.object({
        query: z.string().max(100).describe('What.'),
        mode: z.string().max(10).describe('How.'),
        limit: z.number().max(100).describe('Most.'),
      }),
      output: z.object({ hits: z.array(z.object({ file: z.string(), symbol: z.string().optional() })) }),
      annotations: hints,
      budget: 'interactive',
      async call({ query, mode }) {
        if (mode === 'symbol') {
          const declared = [...TOTAL.matchAll(/(?:function|const) (\w+)/g)].map(([, name = '']) => name);
          return {
            hits: declared
              .filter((name) => name === query)
              .map((symbol) => ({ file: 'src/total.ts', symbol })),
          };
        }
        const isThere = (mode === 'path' ? 'src/total.ts' : TOTAL).includes(query);
        return { hits: isThere ? [{ file: 'src/total.ts' }] : [] };
      },
    }),
  ],
});

async function orchestrate(models: ReturnType<typeof scriptedTeam>, args: object = {}): Promise<Answer> {
  plugin = await startPlugin(withCode, { models, projectRoot: root });
  return plugin.answer<Answer>('orchestrate', { task: 'How does it add?', ...args });
}

const prompts = ({ requests }: ReturnType<typeof scriptedTeam>, asked: Asked) =>
  requests
    .filter((request) => askedOf(request) === asked)
    .map((request) => [request.system, promptOf(request)].join('\n'));

describe('what orchestrate answers', () => {
  it.each(['total(1048576)', 'total()', '`total([1])`'])(
    'is of one expert, who sees the file of the symbol, where the task names %s alone',
    async (called) => {
      const models = scriptedTeam(TWO, { expert: () => 'At src/total.ts:1.' });
      const { effort } = await orchestrate(models, { task: `Why does ${called} not come out as 1MB?` });
      expect(effort).toMatch(/^One expert \(code\) alone/);
      expect(prompts(models, 'expert')).toEqual([
        expect.stringContaining('Data from read_file of src/total.ts'),
      ]);
      expect(models.requests).toHaveLength(1);
    },
  );

  it('is planned where what the task calls is nothing that the project declares', async () => {
    const { effort } = await orchestrate(scriptedTeam(TWO), { task: 'Why is version(2) not total?' });
    expect(effort).toContain('names no file or symbol');
  });

  it('is planned by somebody who may read the project with the same tools', async () => {
    const models = scriptedTeam(TWO);
    await orchestrate(models, { effort: 'team' });
    const toolsOf = (asked: Asked) =>
      models.requests.find((request) => askedOf(request) === asked)?.tools?.map(({ name }) => name);
    expect(toolsOf('planner')).toEqual(expect.arrayContaining(['read_file', 'search_codebase']));
    expect(toolsOf('expert')).toEqual(expect.arrayContaining(['read_file', 'search_codebase']));
  });

  it.each([2, 3])('rests on the plan that version %i left, as that went on', async (version) => {
    const input = { task: 'How does it add?', context: {}, maxIterations: 2, effort: 'auto' };
    const value = {
      steps: ['look', 'search'].map((id) => ({ id, expert: 'code', title: id, task: id, needs: [] })),
    };
    const plan = { name: 'plan', output: { value, model: 'test:one', usage: {} } };
    const kind = { name: 'experts.orchestrate', version };
    const kit = { name: 'plan kit', output: [] };
    const left = await leaveRun({ kind, input, steps: version > 2 ? [kit, plan] : [plan] });
    const models = scriptedTeam(TWO);
    plugin = await startPlugin(withCode, { models, projectRoot: root, dataDir: left.dataDir });
    const { summary } = await plugin.resume<Answer>(left.id);
    expect(summary).toBe('All is well.');
    expect(models.requests.map(askedOf).sort()).toEqual([
      'expert',
      'expert',
      'reviewer',
      'reviewer',
      'writer',
    ]);
    rmSync(left.dataDir, { recursive: true, force: true });
  });

  it('was judged by what the expert read: its reviewer has the references, the places, and the same tools', async () => {
    const models = scriptedTeam(TWO, {
      expert: (request, count) => {
        if (count > 2) return 'It takes the first price (src/total.ts:2).';
        return promptOf(request).includes('tested')
          ? 'There is no test.'
          : { tools: [{ name: 'read_file', input: { path: 'src/total.ts', lines: '1-3' } }] };
      },
    });
    const { steps } = await orchestrate(models);
    expect(steps[0]?.references).toEqual([
      {
        tool: 'read_file',
        path: 'src/total.ts',
        lines: '1-3',
        digest: expect.stringMatching(/^[0-9a-f]{16}$/),
        isError: false,
        arguments: { path: 'src/total.ts', lines: '1-3' },
      },
    ]);
    expect(steps.map(({ basis }) => basis)).toEqual(['read', 'believed']);
    const reviewed = models.requests.filter((request) => askedOf(request) === 'reviewer');
    const first = reviewed.map(promptOf).find((prompt) => prompt.includes('Say how it adds.'));
    expect(first).toContain('R1 read_file {"path":"src/total.ts","lines":"1-3"}');
    expect(first).toContain('2\t  return prices[0] ?? 0;');
    expect(reviewed[0]?.tools?.map(({ name }) => name)).toEqual(['read_file', 'search_codebase']);
    const other = reviewed.map(promptOf).find((prompt) => prompt.includes('Say how it is tested.'));
    expect(other).toContain('The expert opened nothing.');
  });

  it('holds no invented path: it is sent back once before anybody reviews it, and marked where it stays', async () => {
    const models = scriptedTeam(TWO, {
      expert: (request) =>
        /tested|not in the project/.test(promptOf(request))
          ? 'See src/total.test.ts:4 and `sumOf()`.'
          : 'It adds.',
      writer: () => ({
        object: {
          summary: 'It is tested by src/total.test.ts:4.',
          recommendations: ['Read src/total.ts:2.', 'Run `npm test` in `src/none.ts`.'],
        },
      }),
    });
    const answer = await orchestrate(models);
    const [told] = prompts(models, 'expert').filter((prompt) => prompt.includes('These are not'));
    expect(told).toContain('These are not in the project: src/total.test.ts:4. ');
    expect(answer.steps[1]).toMatchObject({
      tries: 1,
      basis: 'believed',
      missing: ['src/total.test.ts:4', 'sumOf()'],
      output: 'See src/total.test.ts:4 (not found) and `sumOf()` (not found).',
    });
    // The hasty reviewer, which passes everything, is asked once, and sees what was marked.
    const seen = prompts(models, 'reviewer').filter((prompt) => prompt.includes('tested'));
    expect(seen).toHaveLength(1);
    expect(seen[0]).toContain('src/total.test.ts:4 (not found)');
    expect(answer.summary).toBe('It is tested by src/total.test.ts:4 (not found).');
    expect(answer.missing).toEqual(['src/total.test.ts:4', 'src/none.ts']);
    expect(answer.recommendations).toEqual([
      'Read src/total.ts:2. (read)',
      'Run `npm test` in `src/none.ts` (not found). (believed)',
    ]);
  });

  it('shows its reviewer each line once, however many of the places that it names are near it', async () => {
    writeFileSync(join(root, 'src/long.ts'), Array.from({ length: 90 }, (_, at) => `line ${at}\n`).join(''));
    const near = Array.from({ length: 18 }, (_, at) => `src/long.ts:${20 + at * 2}`).join(', ');
    const models = scriptedTeam(TWO, { expert: () => `It is at ${near}.` });
    await orchestrate(models);
    const [prompt = ''] = prompts(models, 'reviewer');
    expect(prompt.match(/^\d+\tline \d+$/gm)).toHaveLength(51);
  });

  it.each([
    ['architecture', 'See src/none.ts and `toBoolean(text)`.', 'believed', 2],
    ['architecture', 'In src/total.ts a helper `toBoolean(text)` could do it.', 'read', 1],
    ['security', 'In src/total.ts the guard `toBoolean(text)` holds.', 'believed', 2],
  ] as const)('by %s, %j, is sent back only for what was invented', async (expertId, said, basis, calls) => {
    const models = scriptedTeam(TWO, { expert: () => said });
    plugin = await startPlugin(withCode, { models, projectRoot: root });
    const answer = await plugin.answer('execute_expert', { expertId, task: 'How is it mended?' });
    expect(models.requests).toHaveLength(calls);
    expect(answer).toMatchObject({ basis, output: expect.stringContaining('`toBoolean(text)` (not found)') });
  });

  it.each([
    ['I ran `npm test` and all 62 tests passed. So it holds.', 'passed (nothing was run). So'],
    ['I have run the tests: green', 'green (nothing was run)'],
    ['Verified: with this change all four tests are green', 'green (nothing was run)'],
    ['I ran into src/total.ts. Tests that I run are none.', 'I ran into src/total.ts. Tests'],
  ])('marks what nobody can have run: %s', async (said, told) => {
    const models = scriptedTeam(TWO, { expert: () => said });
    plugin = await startPlugin(withCode, { models, projectRoot: root });
    const { output } = await plugin.answer<{ output: string }>('execute_expert', {
      expertId: 'code',
      task: 'Is it so?',
    });
    expect(output).toContain(told);
    expect(output.includes('(nothing was run)')).toBe(told.includes('(nothing was run)'));
  });

  it('marks it for those who go on with it, and in the answer that is written of it', async () => {
    const SAID = 'I tested it in node: it printed 1.050KB.';
    const models = scriptedTeam(TWO, {
      expert: () => SAID,
      writer: () => ({
        object: { summary: `Mended. ${SAID}`, recommendations: ['Keep it: all tests pass.'] },
      }),
    });
    plugin = await startPlugin(withCode, { models, projectRoot: root });
    const { structuredContent } = await plugin.call('orchestrate', { task: 'How does it add?' });
    const told = 'it printed 1.050KB (nothing was run).';
    for (const asked of ['reviewer', 'writer'] as const) expect(prompts(models, asked)[0]).toContain(told);
    expect(structuredContent).toMatchObject({
      summary: `Mended. I tested it in node: ${told}`,
      recommendations: ['Keep it: all tests pass (nothing was run). (believed)'],
    });
  });

  it.each(['All is well.', 'I ran the tests: green.', 'Ich habe alles ausprobiert.'])(
    'says in its own words that nothing was run, whatever the answer says: %s',
    async (summary) => {
      const models = scriptedTeam(TWO, {
        writer: () => ({ object: { summary, recommendations: [] } }),
        expert: () => summary,
      });
      plugin = await startPlugin(withCode, { models, projectRoot: root });
      const many = await plugin.call('orchestrate', { task: 'How does it add?' });
      const marked = summary.replace('green', 'green (nothing was run)');
      expect(many.content[0]?.text).toContain(`${marked}\n\nNothing was run for this answer.\n\n`);
      expect(many.structuredContent?.ran).toBe('Nothing was run for this answer.');
      const [told] = prompts(models, 'writer');
      expect(told).toContain('Nothing was run or read: say of nothing that it was.');
      const one = await plugin.call('execute_expert', { expertId: 'code', task: 'Is it so?' });
      expect(one.content[0]?.text).toContain('\n\nNothing was run for this answer.\n\nBasis: ');
      expect(one.structuredContent?.ran).toBe('Nothing was run for this answer.');
    },
  );

  it('marks a line that the file does not have', async () => {
    const answer = await orchestrate(scriptedTeam(TWO, { expert: () => 'It is at src/total.ts:400.' }), {
      maxIterations: 2,
    });
    expect(answer.steps[0]?.output).toBe('It is at src/total.ts:400 (not found: the file has 3 lines).');
  });

  it('names contradictions, and settles one by a place that is there', async () => {
    const contradiction = (because: string, holds = 'It takes the first price.') => ({
      between: ['look', 'tests'],
      about: 'Whether it adds.',
      holds,
      because,
    });
    const models = scriptedTeam(TWO, {
      writer: (_, count) =>
        count === 1
          ? { tools: [{ name: 'read_file', input: { path: 'src/total.ts' } }] }
          : {
              object: {
                summary: 'It does not add.',
                recommendations: [],
                contradictions: [
                  contradiction('src/total.ts:2'),
                  contradiction('src/other.ts:2'),
                  contradiction('src/total.ts:2 and src/other.ts:2'),
                  contradiction('It is plain.'),
                  contradiction('', ''),
                ],
              },
            },
    });
    const { contradictions } = await orchestrate(models);
    expect(contradictions.map(({ isSettled }) => isSettled)).toEqual([true, false, false, false, false]);
    const [told] = prompts(models, 'writer');
    expect(told).toContain('Where two of them contradict each other, name that under contradictions');
    expect(told).toContain('Data from look, code: Look');
  });

  it('does not settle one by a place that the writer never opened', async () => {
    const holds = { between: ['look', 'tests'], about: 'Whether it adds.', holds: 'It does not.' };
    const contradictions = [{ ...holds, because: 'src/total.ts:2' }];
    const object = { summary: 'It does not add.', recommendations: [], contradictions };
    const answer = await orchestrate(scriptedTeam(TWO, { writer: () => ({ object }) }));
    expect(answer.contradictions).toMatchObject([{ because: 'src/total.ts:2', isSettled: false }]);
  });

  it('shows a fault by a test that is run, where somebody can; one of an invented place is believed', async () => {
    const asked: ProveInput[] = [];
    const proves = defineRun({
      ...prove,
      run: (input: ProveInput, run) =>
        run.step('prove', (): ProveOutput => {
          asked.push(input);
          return {
            verdict: 'shown',
            basis: 'ran',
            why: 'Run: red.',
            tests: ['a.test.ts'],
            diff: '+a',
            output: '',
          };
        }),
    });
    const wrong = 'total() in src/total.ts:2 takes the first price.';
    const models = scriptedTeam(TWO, {
      writer: () => ({
        object: {
          summary: 'It is wrong.',
          recommendations: [],
          faults: [wrong, 'src/none.ts:1 is wrong too.'],
        },
      }),
    });
    const runs = [...(withCode.runs ?? []), proves];
    plugin = await startPlugin(definePlugin({ ...withCode, runs }), { models, projectRoot: root });
    const { structuredContent, content } = await plugin.call('orchestrate', { task: 'How does it add?' });
    expect(structuredContent?.faults).toEqual([
      { claim: wrong, basis: 'ran', proof: { verdict: 'shown', why: 'Run: red.', diff: '+a' } },
      { claim: 'src/none.ts:1 (not found) is wrong too.', basis: 'believed' },
    ]);
    expect(asked).toEqual([{ kind: 'fails', claim: wrong }]);
    expect(content[0]?.text).toContain(
      `## Faults\n\n- ${wrong} (ran) Run: red.\n- src/none.ts:1 (not found)`,
    );
  });

  it.each([
    ['not_real', '', 'not_real', 'believed', '## Said to be faults, and judged not to be'],
    ['real', '-', 'unanswered', 'believed', '## Faults'],
    ['real', 'src/total.ts:2 says so.', 'unanswered', 'believed', '## Faults'],
    ['cannot_tell', '', 'unanswered', 'believed', '## Faults'],
    ['real', 'By src/total.ts:1 it is given more.', 'real', 'read', '## Faults'],
  ] as const)(
    'has a fault that its own prover denies judged anew: %s, %j is %s',
    async (verdict, answersAgainst, judged, basis, heading) => {
      const against = 'No test was written that shows it. Its author said: it adds as it should.';
      const proves = defineRun({
        ...prove,
        run: (_: ProveInput, run) =>
          run.step(
            'prove',
            (): ProveOutput => ({
              ...{ verdict: 'not_shown', basis: 'believed', why: against, against },
              ...{ tests: [], diff: '', output: '' },
            }),
          ),
      });
      const claim = 'total() in src/total.ts:2 takes the first price.';
      const team = scriptedTeam(TWO, {
        writer: () => ({ object: { summary: 'It is wrong.', recommendations: [], faults: [claim] } }),
        expert: ({ system = '' }) =>
          system.includes('You judge whether a fault')
            ? { object: { reasoning: 'By what is there.', verdict, answersAgainst } }
            : 'It takes the first price.',
      });
      const runs = [...(withCode.runs ?? []), proves];
      plugin = await startPlugin(definePlugin({ ...withCode, runs }), { models: team, projectRoot: root });
      const { structuredContent, content } = await plugin.call('orchestrate', { task: 'How does it add?' });
      expect(structuredContent?.faults).toMatchObject([{ claim, basis, judged: { verdict: judged } }]);
      expect(content[0]?.text).toContain(
        `${heading}\n\n- ${claim} (${basis}) ${against} Judged anew with that: By what is there.`,
      );
    },
  );

  it('has the steps of one expert done in one turn, which is reviewed, and needs no writer', async () => {
    const steps = ['src/total.ts', 'src/sum.ts'].map((path, at) => ({
      ...{ id: `part-${at}`, expert: 'code', title: `Look at ${path}`, task: `Say what ${path} does.` },
    }));
    const models = scriptedTeam(
      { steps },
      {
        expert: (_, count) => (count === 1 ? 'It adds.' : 'It takes the first (src/total.ts:2).'),
        reviewer: (_, count) => ({ object: { passes: count === 2, feedback: 'Look at the line.' } }),
      },
    );
    const answer = await orchestrate(models);
    expect(models.requests.map(askedOf)).toEqual(['planner', 'expert', 'reviewer', 'expert', 'reviewer']);
    const [told] = prompts(models, 'expert');
    for (const { title, task } of steps) expect(told).toContain(`## ${title}\n\n${task}`);
    expect(answer).toMatchObject({
      summary: 'It takes the first (src/total.ts:2).',
      effort: expect.stringContaining('2 steps of the plan in 1: those of one expert are one turn.'),
      steps: [{ status: 'passed', tries: 2 }],
    });
    expect(answer.effort).toContain('its answer is the answer, without a writer');
  });

  it('has each step done for itself where a team is asked for', async () => {
    const steps = ['one', 'two'].map((id) => ({ id, expert: 'code', title: id, task: id }));
    const models = scriptedTeam({ steps });
    await orchestrate(models, { effort: 'team' });
    expect(models.requests.map(askedOf).filter((asked) => asked === 'expert')).toHaveLength(2);
  });

  it('shows the faults that one expert alone found, and says each once', async () => {
    const claims = ['A', 'B', 'C', 'D'].map((name) => `${name} is wrong (src/total.ts:2).`);
    const models = scriptedTeam(TWO, {
      expert: () => ['It adds.', '## Faults', ...claims.map((claim) => `- ${claim}`)].join('\n\n'),
    });
    const proves = defineRun({
      ...prove,
      run: ({ claim }: ProveInput, run) =>
        run.step(
          'prove',
          (): ProveOutput => ({
            ...{
              verdict: 'shown',
              basis: 'ran',
              why: `Run for ${claim[0]}: red.`,
              tests: [],
              diff: '',
              output: '',
            },
          }),
        ),
    });
    const runs = [...(withCode.runs ?? []), proves];
    plugin = await startPlugin(definePlugin({ ...withCode, runs }), { models, projectRoot: root });
    const { content, structuredContent } = await plugin.call('orchestrate', {
      task: 'Is `total()` in src/total.ts right?',
    });
    expect(promptOf(models.requests[0] ?? { prompt: '' })).toContain('end with a section headed "## Faults"');
    expect(structuredContent?.summary).toBe('It adds.');
    const text = content[0]?.text ?? '';
    for (const claim of claims) expect(text.split(claim)).toHaveLength(2);
    // As many are run as anybody waits for; the rest is told as it is known.
    expect(text).toContain(`- ${claims[2]} (ran) Run for C: red.\n- ${claims[3]} (read)\n`);
  });

  it('has a fault as read where nobody can run a test', async () => {
    const models = scriptedTeam(TWO, {
      writer: () => ({ object: { summary: 'x', recommendations: [], faults: ['src/total.ts:2 is wrong.'] } }),
    });
    expect((await orchestrate(models)).faults).toEqual([
      { claim: 'src/total.ts:2 is wrong.', basis: 'read' },
    ]);
  });

  it('is one expert’s, after one call of a model, where the task is short and names what it is about', async () => {
    const models = scriptedTeam(TWO, { expert: () => 'It takes the first price (src/total.ts:2).' });
    const answer = await orchestrate(models, { task: 'What does `total()` in src/total.ts return?' });
    expect(models.requests).toHaveLength(1);
    expect(answer).toMatchObject({
      summary: 'It takes the first price (src/total.ts:2).',
      effort: expect.stringContaining('One expert (code) alone, without plan, review and writer'),
      steps: [{ status: 'done', basis: 'read' }],
    });
  });

  it('is one expert for a bare file that the project has, and a team for a name that is none', async () => {
    writeFileSync(join(root, 'index.js'), 'export const one = 1;\n');
    const alone = scriptedTeam(TWO);
    await orchestrate(alone, { task: 'What is in index.js?' });
    expect(alone.requests.map(askedOf)).toEqual(['expert']);
    await plugin.stop();
    const below = scriptedTeam(TWO);
    await orchestrate(below, { task: 'What is in total.ts?' });
    expect(below.requests.map(promptOf)).toEqual([expect.stringContaining('2\t  return prices[0]')]);
    await plugin.stop();
    const team = scriptedTeam(TWO);
    const { effort } = await orchestrate(team, { task: 'Does it run in Node.js?' });
    expect(team.requests.map(askedOf)[0]).toBe('planner');
    expect(effort).toContain('names no file or symbol');
  });

  it.each([
    ['one', 'Review the whole project.\nAnd all of it.', 1],
    ['team', 'What does src/total.ts do?', 6],
  ] as const)('is by effort=%s as wanted', async (effort, task, calls) => {
    const models = scriptedTeam(TWO);
    await orchestrate(models, { task, effort });
    expect(models.requests).toHaveLength(calls);
  });

  it('is the answer of the one step that a plan has, without review and writer, and says so', async () => {
    const models = scriptedTeam({ steps: TWO.steps.slice(0, 1) }, { expert: () => 'It is wrong.' });
    const answer = await orchestrate(models);
    expect(models.requests.map(askedOf)).toEqual(['planner', 'expert']);
    expect(answer).toMatchObject({
      summary: 'It is wrong.',
      effort: expect.stringContaining('names no file or symbol'),
    });
    expect(answer.effort).toContain('without review and writer');
  });

  it('is sent back for an invented path also where one expert works alone', async () => {
    const models = scriptedTeam(TWO, {
      expert: (_, count) => (count === 1 ? 'See src/none.ts.' : 'See src/total.ts.'),
    });
    const answer = await orchestrate(models, { effort: 'one' });
    expect(answer.summary).toBe('See src/total.ts.');
    expect(answer.missing).toEqual([]);
    expect(models.requests).toHaveLength(2);
  });

  it('is text with the result first, once, the run behind it and what it cost', async () => {
    const models = scriptedTeam(TWO, { expert: () => `LONG-${'x'.repeat(5_400)}` });
    plugin = await startPlugin(withCode, { models, projectRoot: root });
    const { content, structuredContent } = await plugin.call('orchestrate', { task: 'How does it add?' });
    const text = content[0]?.text ?? '';
    expect(text).toMatch(
      /^All is well\.\n\nNothing was run for this answer\.\n\n## Recommendations\n\n- Keep it\. \(believed\)\n\n## Steps\n\n- code: Look: passed, believed/,
    );
    expect(text.match(/All is well\./g)).toHaveLength(1);
    // What each step wrote is in the run, and in the structure.
    expect(text).not.toContain('LONG-');
    expect(text).toContain(`nexus://runs/${structuredContent?.runId}`);
    expect(text.split('\n').at(-1)).toMatch(/^6 model calls; 60 tokens in, 30 out; \$0\.0060; [\d.]+ s$/);
  });
});

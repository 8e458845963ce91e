import { type Answer, NO_USAGE, type RunDetail, type RunStep } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { runLines, runMermaid, shownRunLines } from './run-picture.ts';

const at = '2026-11-22T10:00:00.000Z';
const nothing = { tokens: 0, costUsd: 0 };

const step = (name: string, also: Partial<RunStep> = {}): RunStep => ({
  name,
  title: name,
  kind: 'step',
  status: 'completed',
  attempt: 1,
  startedAt: at,
  endedAt: at,
  spent: nothing,
  ...also,
});

const run = (id: string, also: Partial<RunDetail>): RunDetail => ({
  id,
  kind: 'k',
  version: 1,
  title: id,
  status: 'completed',
  rootId: 'root',
  createdAt: at,
  updatedAt: at,
  budget: { spent: nothing, reserved: nothing },
  usage: { calls: 0, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
  input: null,
  steps: [],
  questions: [],
  children: [],
  ...also,
});

const family = run('root', {
  steps: [step('plan'), step('work', { kind: 'child', childId: 'worker' }), step('ask around')],
  children: [
    run('worker', { parentId: 'root', parentStep: 'work', steps: [step('think')] }),
    run('first', { parentId: 'root', parentStep: 'ask around', steps: [step('look')] }),
    run('second', { parentId: 'root', parentStep: 'ask around', steps: [step('listen')] }),
  ],
});

it('shows under each step the run that does it, and all that its calls have started', () => {
  const [, , ...lines] = runLines(family);
  expect(lines).toEqual([
    '✓ plan 0.0 s',
    '✓ work 0.0 s',
    '  ✓ think 0.0 s',
    '✓ ask around 0.0 s',
    '  ✓ look 0.0 s',
    '  ✓ listen 0.0 s',
  ]);
});

it('tells apart what is called alike, as lines and drawn', () => {
  const again = run('root', {
    steps: [step('review 1', { title: 'reviews it' }), step('review 2', { title: 'reviews it' })],
  });
  expect(runLines(again).slice(2)).toEqual(['✓ reviews it 0.0 s', '✓ reviews it (2) 0.0 s']);
  expect(runMermaid(again).filter((line) => line.includes('reviews it'))).toEqual([
    expect.stringContaining('["✓ reviews it"]'),
    expect.stringContaining('["✓ reviews it  2 "]'),
  ]);
});

it('shows what a step was given and came to, a line each, without what would act on a terminal', () => {
  const steps = [
    step('read_file', {
      input: { json: '{"path":"a.ts"}', characters: 15 },
      output: { json: `"\u001b[2J${'x'.repeat(1_000)}`, characters: 9_000 },
    }),
    step('work', { kind: 'child', output: { json: '"told by the run"', characters: 17 } }),
  ];
  const lines = runLines(run('root', { steps })).slice(2);
  expect(lines.slice(0, 2)).toEqual(['✓ read_file 0.0 s', '    in  {"path":"a.ts"}']);
  expect(lines[2]).toMatch(/^ {4}out "[^\u001b]{10,}x… \(9000 characters\)$/);
  expect(lines).toHaveLength(4);
});

it('says of a question why what was kept ahead of it is let go', () => {
  const question = { runId: 'root', askedAt: at, message: 'Which?', name: 'which', status: 'open' } as const;
  const lines = runLines(run('root', { asks: [{ ...question, refused: 'branch is\nrequired' }] }));
  expect(lines).toContain('  The answer that was kept ahead is let go. branch is\\nrequired');
  expect(runLines(run('root', { asks: [question] })).join('\n')).not.toContain('let go');
});

it('shows what a person has answered, or that nobody did', () => {
  const asks = (name: string) => step(name, { kind: 'question', output: { json: '{}', characters: 2 } });
  const question = { runId: 'root', askedAt: at, message: '?' };
  const lines = runLines(
    run('root', {
      steps: [asks('yes'), asks('form'), asks('no'), asks('late'), asks('open')],
      questions: [
        { ...question, name: 'yes', status: 'answered', answer: { action: 'accept' } },
        {
          ...question,
          name: 'form',
          status: 'answered',
          answer: { action: 'accept', content: { branch: 'main\n', n: 2 } },
        },
        { ...question, name: 'no', status: 'answered', answer: { action: 'decline' } },
        { ...question, name: 'late', status: 'expired', answer: { action: 'cancel' } },
        { ...question, name: 'open', status: 'open' },
      ],
    }),
  ).slice(2);
  expect(lines).toEqual([
    ...['✓ yes 0.0 s', '    answered yes'],
    ...['✓ form 0.0 s', '    answered yes: branch=main\\n, n=2'],
    ...['✓ no 0.0 s', '    answered no'],
    ...['✓ late 0.0 s', '    nobody answered in time'],
    '✓ open 0.0 s',
  ]);
});

it('shows what each step cost, and a call that its tool refused as failed', () => {
  const steps = [
    step('asks the model', { spent: { tokens: 120, costUsd: 0.0012 } }),
    step('read_file', { refusal: 'There is no a.ts.\nName another.' }),
  ];
  const lines = runLines(run('root', { steps }));
  expect(lines.slice(-2)).toEqual([
    '✓ asks the model 0.0 s, 120 tokens, $0.0012',
    '✗ read_file 0.0 s: There is no a.ts. Name another.',
  ]);
  expect(runMermaid(run('root', { steps }))).toContain('  r_1["✗ read_file"]');
});

it.each([
  [{}, {}, undefined],
  [{ unknownCalls: 1 }, {}, 'cost not known of 1 call, interrupted; 0.0 s'],
  [
    { calls: 2, inputTokens: 20, outputTokens: 10, pricedUsd: 0.5 },
    { cap: { tokens: 90, costUsd: 1 } },
    '2 model calls; 20 tokens in, 10 out; $0.5000 and what has no known price; 0.0 s; the cap is 90 tokens and $1.0000',
  ],
])('says what was asked of models, and of how much: %j, %j', (asked, budget, line) => {
  const ended = { endedAt: at, createdAt: at };
  const usage = { ...NO_USAGE, calls: 0, ...asked };
  const lines = runLines(
    run('root', { ...ended, usage, budget: { spent: nothing, reserved: nothing, ...budget } }),
  );
  expect(lines.slice(1, -1)).toEqual(line === undefined ? [] : [line]);
});

it('draws steps side by side that ran so, and what came after below all of them', () => {
  const between = (name: string, from: number, to?: number) => {
    const moment = (second: number) => new Date(Date.parse(at) + second * 1_000).toISOString();
    const { endedAt: _, ...open } = step(name, { startedAt: moment(from) });
    return to === undefined ? { ...open, status: 'running' as const } : { ...open, endedAt: moment(to) };
  };
  const steps = [
    between('plan', 0, 1),
    between('a', 1, 5),
    between('b', 2, 3),
    between('c', 4, 6),
    between('sum', 6),
  ];
  const arrows = runMermaid(run('root', { steps })).filter((line) => line.includes('-->'));
  expect(arrows).toEqual([
    ...['1', '2', '3'].map((side) => `  r_0 --> r_${side}`),
    ...['1', '2', '3'].map((side) => `  r_${side} --> r_4`),
  ]);
});

it('draws each of them as a group of its step', () => {
  const drawn = runMermaid(family);
  expect(drawn).toContain('  subgraph r_1_c["worker"]');
  expect(drawn).toContain('  subgraph r_2_c["first"]');
  expect(drawn).toContain('  subgraph r_2_c1["second"]');
  const ids = drawn.flatMap((line) => /^ {2}(\w+)\[/.exec(line)?.[1] ?? []);
  expect(ids).toHaveLength(6);
  expect(new Set(ids).size).toBe(6);
});

it('shows each line of what a run says as a line', () => {
  const message = 'No step is called so.\n  at find-callers';
  expect(runLines(run('root', { status: 'failed', message })).slice(1, 3)).toEqual([
    'No step is called so.',
    '  at find-callers',
  ]);
});

it('shows of a job also the runs that its call has begun, whole', () => {
  const job = run('job', { kind: 'nexus.job', steps: [step('call')], begun: ['root'] });
  const lines = shownRunLines({ ...job, begunRuns: [family] });
  expect(lines).toEqual([...runLines(job), '', 'It has begun run root:', ...runLines(family)]);
  expect(shownRunLines(family)).toEqual(runLines(family));
});

it('shows until when a question is open, and what is kept ahead, of runs below too', () => {
  const asks = [
    { runId: 'root', name: 'q', message: 'Go?', status: 'open', askedAt: at, expiresAt: at } as const,
  ];
  const kept = (answer: Answer) => [{ name: 'later', answer, answeredAt: at }];
  const below = run('below', { keptAhead: kept({ action: 'accept', content: { n: '5' } }) });
  const lines = runLines(run('root', { asks, keptAhead: kept({ action: 'decline' }), children: [below] }));
  expect(lines).toContain(`It is open until ${at}.`);
  expect(lines.filter((line) => line.startsWith('Kept'))).toEqual([
    'Kept for "later" of root, until that is asked: no',
    'Kept for "later" of below, until that is asked: {"n":"5"}',
  ]);
});

import type { RunDetail, RunStep } from '@nexus/plugin-sdk';
import { beforeEach, expect, it, vi } from 'vitest';
import type { RunsRequest } from '../server/answer-runs.ts';

const asked = vi.hoisted(() => ({ print: [] as string[], requests: [] as unknown[] }));

vi.mock('../runs/ask-runs.ts', () => ({
  async askRun(id: string) {
    return { id, kind: 'k', title: 'Plan', status: 'failed', steps: [], children: [] };
  },
  async askRuns(request: RunsRequest) {
    asked.requests.push(request);
    return { runId: 'run_1', kept: ['plan'], repeated: [], cost: { tokens: 0, costUsd: 0 } };
  },
  async askAndGoOn(request: RunsRequest, _: unknown, told: (answered: unknown) => string) {
    asked.requests.push(request);
    told({ id: 'run_2', status: 'running' });
    return 0;
  },
}));

// Files share their modules: another may have loaded it with what that one put in its place.
vi.resetModules();
const { amount, goneOnLines, planLines, rerun } = await import('./rerun-run.ts');

beforeEach(() => {
  asked.print.length = 0;
  asked.requests.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => asked.print.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});

it('says as JSON what would be done where nobody says yes, and what was begun where somebody does', async () => {
  expect(await rerun('run_1', { json: true })).toBe(1);
  const plan = { runId: 'run_1', kept: ['plan'], repeated: [], cost: nothing };
  expect(JSON.parse(asked.print.join(''))).toEqual({ ...plan, begun: null });
  expect(asked.requests).toMatchObject([{ what: 'plan-rerun', goesOn: true }]);
  asked.print.length = 0;
  expect(await rerun('run_1', { json: true, yes: true })).toBe(0);
  expect(JSON.parse(asked.print.join(''))).toMatchObject({ id: 'run_2', status: 'running' });
  asked.print.length = 0;
  expect(await rerun('run_1', {})).toBe(1);
  expect(asked.print).toEqual([]);
});

it('says what is to be paid, what is not known of it, and that nothing is only where nothing is', () => {
  expect(amount({ tokens: 0, costUsd: 0 })).toBe('nothing');
  expect(amount({ tokens: 110, costUsd: 0.5 })).toBe('110 tokens, $0.5000');
  expect(amount({ tokens: 0, costUsd: 0 }, 1)).toBe('not known of 1 call');
  expect(amount({ tokens: 110, costUsd: 0 }, 3)).toBe('at least 110 tokens; not known of 3 calls');
});

const nothing = { tokens: 0, costUsd: 0 };
const run = { id: 'run_1', kind: 'k', title: 'Plan', status: 'failed', steps: [], children: [] } as const;

it('calls steps as views do, also those of runs below, and tells of none that no view shows', () => {
  const step = (name: string, title: string, kind = 'step') => ({ name, title, kind }) as RunStep;
  const below = {
    ...{ id: 'run_2', steps: [step('ask model 1', 'asks the model')], children: [] },
  } as unknown as RunDetail;
  const detail = {
    ...run,
    steps: [step('graph', 'graph', 'event'), step('a#1/work', 'alpha'), step('b#1/work', 'alpha')],
    children: [below],
  };
  const runs = [
    { runId: 'run_2', isAnew: false, kept: ['ask model 1', 'gone'], repeated: [], cost: nothing },
  ];
  const repeated = [{ name: 'b#1/work', spent: nothing, runs }];
  const plan = { runId: 'run_1', kept: ['graph', 'a#1/work'], repeated, cost: nothing };
  expect(planLines(detail, plan, true).slice(1, 7)).toEqual([
    'Kept: alpha',
    'Done again, with what it costs again:',
    '  alpha (2): nothing',
    '    goes on with run run_2',
    '      Kept: asks the model, gone',
    '      Done again: nothing that had begun',
  ]);
});

it('says which answers are on record, what they cost if they are not used, and what is told first', () => {
  const spent = { tokens: 20, costUsd: 0.5 };
  const repeated = [
    { name: 'breaks', spent: nothing },
    { name: 'asks', spent: nothing, answered: { calls: 2, spent } },
    { name: 'sends', spent: nothing, answered: { calls: 0, spent: nothing, once: ['send', 'post'] } },
    { name: 'step', spent: nothing, answered: { calls: 1, spent, once: ['step'] } },
  ];
  const steps = [{ name: 'step', title: 'Pays the bill', kind: 'step' } as RunStep];
  const plan = { runId: 'run_1', kept: [], repeated, cost: nothing, costAtMost: { tokens: 40, costUsd: 1 } };
  expect(planLines({ ...run, steps }, plan, true).slice(2)).toEqual([
    'Done again, with what it costs again:',
    '  breaks: nothing',
    '  asks: nothing',
    '    2 answers are on record; only if it asks for something else it pays 20 tokens, $0.5000 again',
    '  sends: nothing',
    '    done already, and not to be done twice: send, post; if it asks for something else you are told first',
    '  Pays the bill: nothing',
    '    1 answer is on record; only if it asks for something else it pays 20 tokens, $0.5000 again',
    '    done already, and not to be done twice: Pays the bill; if it asks for something else you are told first',
    'In all: nothing, or up to 40 tokens, $1.0000 if steps ask for something else than before, and what had not begun',
  ]);
});

it('names what is done again that must not be done twice, also in a run that is begun anew, and what is told first', () => {
  const again = { spent: nothing, again: ['pays'] };
  const below = {
    runId: 'run_2',
    isAnew: true,
    kept: [],
    repeated: [{ name: 'pays', ...again }],
    cost: nothing,
  };
  const unsaid = { calls: 0, spent: nothing, once: ['sends'], isUnsaid: true as const };
  const repeated = [
    { name: 'pays', ...again },
    { name: 'calls', spent: nothing, runs: [below] },
    { name: 'sends', spent: nothing, answered: unsaid },
  ];
  const plan = { runId: 'run_1', toldFirst: 'run_9', kept: [], repeated, cost: nothing };
  const twice = 'done already, or may be, and not to be done twice; it is done again: pays';
  expect(planLines(run, plan, true).slice(1, -1)).toEqual([
    'Run run_9 is of unknown outcome, and nobody was told: it is told first, and nothing is begun. Who then asks once more begins:',
    'Kept: nothing',
    'Done again, with what it costs again:',
    '  pays: nothing',
    `    ${twice}`,
    '  calls: nothing',
    '    begins run run_2 anew',
    `      ${twice}`,
    '  sends: nothing',
    '    done already, and not to be done twice: sends; nothing says what it was given, so you are told first',
  ]);
});

it('says of a run that failed while none of its steps did that it may fail so again', () => {
  const plan = { runId: 'run_1', kept: ['plan'], repeated: [], cost: nothing };
  expect(planLines(run, plan, true).slice(-3)).toEqual([
    'Done again: nothing that had begun',
    'In all: nothing, and what had not begun',
    'None of its steps failed, so it may fail the same way again; --from <step> or --all does more anew.',
  ]);
  const repeated = [{ name: 'plan', spent: nothing }];
  expect(planLines(run, { ...plan, kept: [], repeated }, true).at(-1)).toBe(
    'In all: nothing, and what had not begun',
  );
});

it('says of a completed run what is done again, of which nothing had not begun', () => {
  const repeated = [{ name: 'plan', spent: nothing }];
  const plan = { runId: 'run_1', kept: [], repeated, cost: nothing };
  expect(planLines({ ...run, status: 'completed' }, plan, false).at(-1)).toBe('In all: nothing');
});

it('says of a run that went on before in which it does, and what becomes of that', () => {
  const on = (status: 'queued' | 'completed') => goneOnLines(run, { id: 'run_2', status });
  expect(on('queued')).toEqual([
    'Plan, run run_1, goes on in run run_2, which is queued: that one goes on, and none is begun beside it.',
  ]);
  expect(on('completed').at(0)).toMatch(/run_2, which is completed: nothing is done again/);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Case } from './cases/cases.ts';
import { beginRecord, type Outcome, readRecord } from './record.ts';
import { runCases } from './run.ts';
import { type Script, scriptedModel } from './scripted-model.ts';
import { tableOf } from './table.ts';

const MODEL = 'anthropic:claude-sonnet-5-5';
const NO_CAP = { costUsd: 1_000, tokens: 1_000_000_000 };
const TIMEOUT_MS = 600_000;

const at = {
  source: { files: { 'sum.js': '// Sums.\n\nexports.sum = (a, b) => a + b;\n', 'README.md': '# Sums\n' } },
  file: 'sum.js',
};
const fault = {
  from: 'a + b',
  to: 'a - b',
  symptom: 'The sum of 2 and 3 is -1.',
  test: 'assert.equal(m.sum(2, 3), 5);',
};
const bug: Case = { ...at, id: 'bug sum', kind: 'bug', fault };
const faulty: Case = { ...at, id: 'diff sum', kind: 'faulty-diff', title: 'Swap', edit: fault };
const clean: Case = {
  ...{ ...at, id: 'clean sum', kind: 'clean-diff', title: 'Say what it is' },
  edit: { from: '// Sums.', to: '// Sums of two.' },
};
const spec: Case = {
  ...at,
  id: 'spec sum',
  kind: 'spec',
  requirement: 'It adds.',
  isMet: true,
  edit: undefined,
};
const question: Case = {
  ...{ ...at, id: 'question sum', kind: 'question', question: 'Which operator is used?' },
  accepts: [/plus/],
};

const RIGHT: Script = {
  ...{ file: 'sum.js', line: 3, findsFault: true, isMet: true, answer: 'The plus in sum.js:3.' },
  mends: { from: 'exports.sum = (a, b) => a - b;', to: 'exports.sum = (a, b) => a + b;' },
};
const WRONG: Script = {
  ...{ file: 'sum.js', line: 30, findsFault: true, isMet: false, answer: 'The minus.' },
  mends: { from: 'exports.sum = (a, b) => a - b;', to: 'exports.sum = (a, b) => a * b;' },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexus-quality-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(
  cases: readonly Case[],
  script: Script,
  how: Partial<Parameters<typeof runCases>[1]> = {},
): Promise<{ readonly outcomes: Outcome[]; readonly left: readonly string[] }> {
  await using endpoint = await scriptedModel(script);
  const outcomes: Outcome[] = [];
  const env = {
    ...{ HOME: folder, USERPROFILE: folder, PATH: '/usr/bin:/bin' },
    ...{ ANTHROPIC_API_KEY: 'sk-ant-test', ANTHROPIC_BASE_URL: endpoint.url },
  };
  const told = (outcome: Outcome) => outcomes.push(outcome);
  const left = await runCases(cases, { model: MODEL, env, cap: NO_CAP, told, ...how });
  return { outcomes, left };
}

const scores = (outcomes: readonly Outcome[]) =>
  Object.fromEntries(outcomes.map(({ case: id, way, score, failure }) => [`${id} ${way}`, failure ?? score]));

describe('the bench of quality, over the real server and a scripted model', () => {
  it(
    'tells what is right as right, both ways, with what was spent; and makes the same table of its record',
    async () => {
      const { outcomes } = await run([bug, faulty, question], RIGHT);
      expect(scores(outcomes)).toEqual({
        'bug sum nexus': { found: true, fixed: true },
        'bug sum direct': { found: true, fixed: true },
        'diff sum nexus': { found: true, 'nothing else': true },
        'diff sum direct': { found: true, 'nothing else': true },
        'question sum nexus': { right: true },
        'question sum direct': { right: true },
      });
      for (const { way, spent } of outcomes) {
        expect(spent.calls).toBeGreaterThanOrEqual(1);
        if (way === 'direct') expect(spent.calls).toBe(1);
        expect(spent.inputTokens).toBe(spent.calls * 10);
      }
      const file = join(folder, 'record.jsonl');
      const keep = beginRecord(file, { model: MODEL, isScripted: true });
      for (const outcome of outcomes) keep(outcome);
      const replayed = readRecord(file);
      expect(replayed).toEqual({ format: 1, model: MODEL, isScripted: true, outcomes });
      const table = tableOf(replayed);
      expect(table).toContain('**The model is scripted');
      expect(table).toMatch(/\| bug \| nexus \| 1 \| found 1\/1, fixed 1\/1 \| 0 \|/);
    },
    TIMEOUT_MS,
  );

  it(
    'tells what is wrong as wrong',
    async () => {
      const { outcomes } = await run([bug, faulty, clean, spec, question], WRONG, { only: ['direct'] });
      expect(scores(outcomes)).toEqual({
        'bug sum direct': { found: false, fixed: false },
        'diff sum direct': { found: false, 'nothing else': false },
        'clean sum direct': { silent: false },
        'spec sum direct': { right: false },
        'question sum direct': { right: false },
      });
    },
    TIMEOUT_MS,
  );

  it(
    'tells silence over a clean change, and a requirement that is met',
    async () => {
      const { outcomes } = await run([clean, spec], { ...RIGHT, findsFault: false }, { only: ['direct'] });
      expect(scores(outcomes)).toEqual({
        'clean sum direct': { silent: true },
        'spec sum direct': { right: true },
      });
    },
    TIMEOUT_MS,
  );

  it(
    'begins nothing more once the cap is reached, and names what is left out',
    async () => {
      const cap = { costUsd: 1_000, tokens: 1 };
      const { outcomes, left } = await run([question, spec], RIGHT, { only: ['direct'], cap });
      expect(outcomes.map((each) => each.case)).toEqual(['question sum']);
      expect(left).toEqual(['spec sum (direct)']);
    },
    TIMEOUT_MS,
  );

  it(
    'counts a case that came to nothing as none that is right, and says why',
    async () => {
      const { outcomes } = await run([question], RIGHT, { only: ['direct'], model: 'nobody:none' });
      expect(outcomes).toMatchObject([{ score: {}, failure: expect.stringMatching(/nobody/) }]);
      const table = tableOf({ format: 1, model: 'nobody:none', isScripted: true, outcomes });
      expect(table).toMatch(/\| question \| direct \| 1 \| – \| 1 \|/);
    },
    TIMEOUT_MS,
  );
});

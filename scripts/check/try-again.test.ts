import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryWorkspace } from '../workspace/memory-workspace.ts';
import type { Outcome } from './judge.ts';
import type { Step } from './steps.ts';
import { tryAgain } from './try-again.ts';

const step: Step = { name: 'unit', command: ['vitest'], proves: 'tests pass', report: 'unit' };
const packages = memoryWorkspace({
  'packages/x/package.json': { name: 'x', scripts: { test: 'vitest run' } },
});
const nested = new URL('../../.reports/', import.meta.url).pathname;
let root: string;

beforeEach(() => {
  mkdirSync(nested, { recursive: true });
  root = mkdtempSync(join(nested, 'again-'));
  mkdirSync(join(root, 'packages/x'), { recursive: true });
  writeFileSync(
    join(root, 'packages/x/vitest.config.ts'),
    "export default { test: { include: ['*.test.ts'], reporters: ['json'] } };",
  );
});
afterEach(() => rmSync(root, { recursive: true }));

/** A file of one test, which failed among all others. */
function failed(name: string, body: string) {
  const file = join(root, 'packages/x', `${name}.test.ts`);
  writeFileSync(file, `import { expect, it } from 'vitest';\n${body}`);
  return { file, test: name, message: 'AssertionError: no' };
}

const outcomeOf = (...failures: { file: string; test: string; message: string }[]): Outcome => ({
  step: 'unit',
  status: 'failed',
  durationMs: 1,
  output: 'first',
  counts: { passed: 2, failed: failures.length, skipped: 0 },
  failures,
});
const again = (outcome: Outcome) => tryAgain(step, outcome, { ...packages, root });

describe('tryAgain', () => {
  it('counts as passed, and names, what passes alone', async () => {
    const steady = failed('steady', "it('steady', () => expect(1).toBe(1));");
    const { outcome, unsteady } = await again(outcomeOf(steady));
    expect(outcome).toMatchObject({ status: 'passed', counts: { passed: 3, failed: 0 }, failures: [] });
    expect(unsteady).toEqual([steady]);
  });

  it('leaves failed what fails alone too', async () => {
    const steady = failed('steady', "it('steady', () => expect(1).toBe(1));");
    const broken = failed('broken', "it('broken', () => expect(1).toBe(2));");
    const { outcome, unsteady } = await again(outcomeOf(steady, broken));
    expect(outcome).toMatchObject({
      status: 'failed',
      counts: { passed: 3, failed: 1 },
      failures: [broken],
    });
    expect(outcome.output).toContain('Once more, alone: packages/x/broken.test.ts');
    expect(unsteady).toEqual([steady]);
  });

  it('takes no test that no longer runs for one that passes', async () => {
    const skipped = failed('skipped', "it['skip']('skipped', () => expect(1).toBe(2));");
    expect((await again(outcomeOf(skipped))).outcome.status).toBe('failed');
  });

  it('does not try again what many tests fail', async () => {
    const steady = failed('steady', "it('steady', () => expect(1).toBe(1));");
    const outcome = outcomeOf(...Array.from({ length: 6 }, () => steady));
    expect(await again(outcome)).toEqual({ outcome, unsteady: [] });
  });

  it('does not explain away a failure beside the tests', async () => {
    const steady = failed('steady', "it('steady', () => expect(1).toBe(1));");
    const outcome = { ...outcomeOf(steady), counts: { passed: 2, failed: 2, skipped: 0 } };
    expect(await again(outcome)).toEqual({ outcome, unsteady: [] });
  });
});

import { checkChange, type ProgramEnd, type RunContext } from '@nexus/plugin-sdk';
import type { CheckResult } from './run-check.ts';

/** The commands that the config allows, without the change and with it; none where nobody is there to run them. */
export async function checkedChange(run: RunContext, diff: string): Promise<CheckResult[]> {
  const isThere = await run.step('who checks changes', () => run.host.runs.knows(checkChange), {
    title: 'looks who runs checks on both sides of a change',
  });
  if (!isThere) return [];
  const title = 'runs the checks without the change and with it';
  const { checks } = await run.child('checks', checkChange, { change: diff }, { title });
  return checks.map(({ name, without, with: outcome, output }) => ({
    ...{ name, output, without },
    status: outcome === 'timed_out' ? ('stopped' as const) : outcome,
  }));
}

const WORDS = {
  passed: {
    passed: 'passes without it too',
    failed: 'fails without it',
    timed_out: 'did not end without it',
  },
  failed: {
    passed: 'passes without it',
    failed: 'fails without it too',
    timed_out: 'did not end without it',
  },
  stopped: { passed: 'passed without it', failed: 'failed without it', timed_out: 'nor without it' },
} as const satisfies Record<CheckResult['status'], Record<ProgramEnd['outcome'], string>>;

const WITH = { passed: 'passes', failed: 'fails', stopped: 'did not end' } as const;

/** How a check came out, on both sides where it was run on both, such as "test fails with the change, and passes without it". */
export function checkWords({ name, status, without }: CheckResult): string {
  if (without === undefined) return `${name} ${WITH[status]}`;
  return `${name} ${WITH[status]} with the change, and ${WORDS[status][without]}`;
}

/** Whether it is red, and was not so before: where it was run with the change alone, its red is counted as the change's. */
export function isRedByChange({ status, without }: Pick<CheckResult, 'status' | 'without'>): boolean {
  return status === 'failed' && without !== 'failed';
}

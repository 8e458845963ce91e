import { join } from 'node:path';
import type { ProgramEnd, RunContext } from '@nexus/plugin-sdk';
import { runAllowed } from '../commands/allowed.ts';
import type { WorkflowsState } from '../state.ts';
import type { Place } from '../worktree/place.ts';
import { openWorktree } from '../worktree/worktree.ts';
import { type ChangeParts, partsOfChange, withPathsAlone } from './tests-alone.ts';

/** What a change has of tests, and how commands come out where one part of it stands without the rest; plain JSON. */
export interface PartOnBase extends ChangeParts {
  readonly runs: readonly ({ readonly name: string } & ProgramEnd)[];
}

interface WhereAndWhat {
  /** Begins the names of its steps. */
  readonly step: string;
  readonly names: readonly string[];
  /** Whether it is run also where the change has nothing but tests. */
  readonly withNothingElse?: boolean;
  /** The commit that all else is put back to; by default the base. */
  readonly at?: string;
  /** What of the change stands there while they run; by default its tests. */
  readonly part?: keyof ChangeParts;
}

const STANDING = {
  tests: 'the new tests and the old code',
  others: 'the new code and the old tests',
} as const satisfies Record<keyof ChangeParts, string>;

/**
 * Runs commands with one part of a change, such as its tests, and all else as it was, each as a step of the run; nothing where the change
 * has no test. The worktree is then as it was before.
 */
export async function runPartOnBase(
  run: RunContext<WorkflowsState>,
  place: Place,
  { step, names, withNothingElse = false, at = place.base, part = 'tests' }: WhereAndWhat,
): Promise<PartOnBase> {
  const parts = await run.step(
    `${step} parts`,
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      return partsOfChange(place, signal);
    },
    { title: 'tells the tests of the change from the rest' },
  );
  if (parts.tests.length === 0 || (parts.others.length === 0 && !withNothingElse))
    return { ...parts, runs: [] };
  const standing = STANDING[part];
  return { ...parts, runs: await runAt(run, place, { step, names, at, paths: parts[part], standing }) };
}

/** Runs commands with all as a commit has it but for these paths, each as a step of the run. */
export async function runAt(
  run: RunContext<WorkflowsState>,
  place: Place,
  {
    step,
    names,
    at,
    paths = [],
    standing,
  }: {
    readonly step: string;
    readonly names: readonly string[];
    readonly at: string;
    readonly paths?: readonly string[];
    /** What stands there, for people. */
    readonly standing: string;
  },
): Promise<PartOnBase['runs']> {
  const runs: ({ readonly name: string } & ProgramEnd)[] = [];
  const { options } = run.state;
  const cwd = join(place.path, place.folder);
  for (const name of names) {
    const ended = await run.step(
      `${step} ${name}`,
      async ({ signal }) => {
        await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
        const work = () => runAllowed(options, name, { cwd, signal, programs: run.host.programs });
        return withPathsAlone(place, paths, { at, signal, work });
      },
      { title: `runs ${name} with ${standing}` },
    );
    runs.push({ name, ...ended });
  }
  return runs;
}

import { expect, vi } from 'vitest';
import type { AskedOnce, AskedTeam } from './asked-team.ts';
import { finishedKeys, rowsOf, runOf } from './run-record.ts';
import type { SharedProject } from './shared-project.ts';

const PATIENCE = { timeout: 40_000, interval: 20 };

export interface KilledRun {
  readonly project: SharedProject;
  /** Whose first request of the moment is not answered. */
  readonly team: AskedTeam;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The kind of its run. */
  readonly kind: string;
  /** When the server is killed. */
  readonly isReached: Promise<void>;
  /** Called when it is dead, before the next one is started. */
  readonly onDeath?: () => void | Promise<void>;
}

/**
 * Kills the server in the middle of a run, and holds that the next one ends it by itself, with no finished step's
 * model call made again.
 * @returns what the tool then answers for the run
 */
export async function killInRun(killed: KilledRun) {
  const { project, team, tool, args, kind, isReached, onDeath } = killed;
  const first = await project.host();
  first.session.call(tool, args).catch(() => {});
  await isReached;
  first.child.kill('SIGKILL');
  await first.exit();
  await onDeath?.();
  const read = rowsOf(project);
  const finished = await finishedKeys(read);
  const before = team.asked.length;
  const next = await project.host();
  await vi.waitFor(
    async () => expect(await runOf(read, kind)).toMatchObject({ status: 'completed' }),
    PATIENCE,
  );
  const run = await runOf(read, kind);
  const { result } = await next.session.call('resume_run', { runId: String(run?.id) });
  expect(result.isError, JSON.stringify(result)).toBeUndefined();
  const again = team.asked.slice(before).map(({ key }) => key);
  expect(again.filter((key) => finished.has(key))).toEqual([]);
  // The formula of the keys still is the one that this compares by.
  const all = await finishedKeys(read);
  expect(team.asked.filter(({ key }) => !all.has(key))).toEqual([]);
  expect(team.requests.map(({ fault }) => fault)).toEqual(team.requests.map(() => undefined));
  return { answer: result.structuredContent, runId: String(run?.id), next };
}

/** Holds the `count`-th request of a role open for as long as the first server lives. */
export function holdAt(asked: string, count: number) {
  let reached = () => {};
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let isDead = false;
  return {
    isReached,
    onDeath: () => {
      isDead = true;
    },
    holds(request: AskedOnce): boolean {
      if (isDead || request.asked !== asked || request.count !== count) return false;
      reached();
      return true;
    },
  };
}

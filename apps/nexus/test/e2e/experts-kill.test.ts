import { expect, vi } from 'vitest';
import { killWhile, MAY_NOTE, type Moment, nameOf } from '../harness/expert-kill.ts';
import { rowsOf, runOf } from '../harness/run-record.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { verifiesApp } from '../harness/verifies.ts';

const onSqlite = {
  project: ({ env }: { env: Readonly<Record<string, string>> }) =>
    shareProject({
      slowPlugin: true,
      config: MAY_NOTE,
      files: { 'src/login.ts': 'export function login() {}\n' },
      env,
    }),
  read: (project: SharedProject) => rowsOf(project),
};

/** One of each kind of step; the slow tests have every one, on each store and with each way to go on. */
const ALONE: readonly Moment[] = [{ asked: 'planner', count: 1 }, 'tool', { asked: 'writer', count: 1 }];
const BRIDGED: readonly Moment[] = [
  { asked: 'expert', count: 2 },
  { asked: 'reviewer', count: 3 },
];

for (const moment of BRIDGED) {
  verifiesApp('experts.kill', `a bridge takes over when the server dies while ${nameOf(moment)}`, async () => {
    await killWhile({
      ...onSqlite,
      moment,
      isBridge: true,
      next: (project) => project.host(),
      ask: ({ session }, runId) => session.call('orchestrate', { task: 'x', resume: runId }),
    });
  });
}

for (const moment of ALONE) {
  verifiesApp('experts.kill', `the next server goes on by itself after ${nameOf(moment)}`, async () => {
    let project: SharedProject | undefined;
    await killWhile({
      ...onSqlite,
      moment,
      isBridge: false,
      next(given) {
        project = given;
        return given.host();
      },
      async ask({ session }, runId) {
        const read = rowsOf(project as SharedProject);
        await vi.waitFor(
          async () => expect(await runOf(read, 'experts.orchestrate')).toMatchObject({ status: 'completed' }),
          { timeout: 40_000, interval: 50 },
        );
        return session.call('orchestrate', { task: 'x', resume: runId });
      },
    });
  });
}

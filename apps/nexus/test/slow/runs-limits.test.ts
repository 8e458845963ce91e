import { expect, vi } from 'vitest';
import { NO_MODELS } from '../harness/expert-team.ts';
import { rowsOf } from '../harness/run-record.ts';
import { shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';

const PATIENCE = { timeout: 30_000, interval: 50 };
const WORKFLOW = `
name: holds
description: Takes its time.
steps: [{ id: hold, uses: 'tool:slow_wait', with: { ms: 1500 } }]
`;

for (const limit of ['runsPerProcess', 'runsPerProject']) {
  slowlyVerifiesApp(
    'command.runs',
    `as many go on at a time as ${limit} of the config says, and those beyond wait on record`,
    async () => {
      await using project = await shareProject({
        slowPlugin: true,
        files: { '.nexus/workflows/holds.yaml': WORKFLOW },
        env: NO_MODELS,
        config: { limits: { [limit]: 1 } },
      });
      const read = rowsOf(project);
      const server = await project.host();
      const calls = [1, 2].map(() => server.session.call('run_workflow', { template: 'holds' }));
      const statuses = async () =>
        (await read(`select status from runs_runs where kind = 'workflows.workflow' order by status`)).map(
          ({ status }) => status,
        );
      await vi.waitFor(async () => expect(await statuses()).toEqual(['queued', 'running']), PATIENCE);
      for (const { result } of await Promise.all(calls)) {
        expect(result.structuredContent, JSON.stringify(result)).toMatchObject({
          steps: [{ id: 'hold', status: 'completed' }],
        });
      }
      const [first, second] = await read(
        `select min(started_at) as began, max(ended_at) as ended from runs_steps
        where run_id in (select id from runs_runs where kind = 'workflows.workflow')
        group by run_id order by began`,
      );
      expect(Number(second?.began)).toBeGreaterThanOrEqual(Number(first?.ended));
    },
  );
}

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import { expect, vi } from 'vitest';
import { NO_MODELS } from '../harness/expert-team.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { rowsOf, runOf } from '../harness/run-record.ts';
import { shareProject } from '../harness/shared-project.ts';
import { verifiesApp } from '../harness/verifies.ts';

const PATIENCE = { timeout: 30_000 };

/** One of each thing that a step may wait for, each after the one before it. */
const WORKFLOW = `
name: waits
description: Waits for a person, a message, a task and a time.
steps:
  - id: go
    uses: ask
    with: { message: Go on?, fields: [{ name: why, description: Why. }] }
  - { id: word, uses: wait, needs: [go], with: { message: { to: releases } } }
  - { id: work, uses: 'tool:submit_task', needs: [word], with: { title: Build, payload: { n: 1 } } }
  - { id: built, uses: wait, with: { task: '\${{ steps.work.output.taskId }}' } }
  - { id: rest, uses: wait, needs: [built], with: { for: 1s } }
outputs:
  why: \${{ steps.go.output.content.why }}
  word: \${{ steps.word.output.body }}
  built: \${{ steps.built.output.result }}
`;

verifiesApp(
  'workflows.wait',
  'a person, a message, a task and a time are waited for through a kill -9 at each',
  async () => {
    await using project = await shareProject({
      files: { '.nexus/workflows/waits.yaml': WORKFLOW },
      env: NO_MODELS,
    });
    const read = rowsOf(project);
    let server = await project.host();
    const waitsIn = (step: string) =>
      vi.waitFor(async () => {
        const rows = await read(
          `select status from runs_steps where name like '${step}#1/%' and status = 'waiting'`,
        );
        expect(rows).toHaveLength(1);
      }, PATIENCE);
    const kill = async () => {
      server.child.kill('SIGKILL');
      await server.exit();
      server = await project.host();
    };
    const call = async (tool: string, args: object) => {
      const { result } = await server.session.call(tool, { ...args });
      expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
      return result.structuredContent;
    };
    server.session.call('run_workflow', { template: 'waits' }).catch(() => {});
    await waitsIn('go');
    const run = await runOf(read, 'workflows.workflow');
    const id = String(run?.id);
    await kill();
    const answered = await runNexus(project, ['runs', 'answer', id, 'why=since']);
    expect(answered.exitCode, answered.stderr).toBe(0);
    await waitsIn('word');
    await kill();
    await call('register_worker', { name: 'ci' });
    await call('send_message', { from: 'ci', to: 'releases', body: 'ship it' });
    await waitsIn('built');
    await kill();
    const { task } = await call('poll_task', { worker: 'builder' });
    await call('complete_task', { leaseId: task.leaseId, result: { size: 3 } });
    await waitsIn('rest');
    await kill();
    const done = await call('resume_run', { runId: id });
    expect(done).toMatchObject({ runId: id, output: { why: 'since', word: 'ship it', built: { size: 3 } } });
    expect(await read(`select state from bus_deliveries where recipient = 'releases'`)).toEqual([
      { state: 'acked' },
    ]);
  },
);

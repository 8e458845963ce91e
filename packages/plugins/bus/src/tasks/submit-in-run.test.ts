import { defineRun, ToolError } from '@nexus/plugin-sdk';
import { startPlugin } from '@nexus/testing';
import { expect, it } from 'vitest';
import bus from '../index.ts';

it('a step that may be done again whatever happens to its server finds the task that it submitted', async () => {
  const answers: unknown[] = [];
  const submits = defineRun({
    name: 'bus.submits',
    version: 1,
    run: (_: null, run) =>
      run.step(
        'submit',
        async ({ tools, attempt }) => {
          const { structuredContent } = await tools.call('submit_task', {
            arguments: { title: 'once', payload: 1 },
          });
          answers.push(structuredContent);
          // What decides whether a workflow's step is done again, or ends as NEXUS_OUTCOME_UNKNOWN.
          expect(tools.find('submit_task')).toMatchObject({ isRepeatable: true });
          if (attempt === 1) throw new ToolError('NEXUS_UNAVAILABLE', 'its answer was lost');
        },
        { retry: { attempts: 2, delayMs: 1 } },
      ),
  });
  const plugin = await startPlugin({ ...bus, runs: [submits] });
  try {
    const { id } = await plugin.host.runs.start(submits, null);
    const { signal } = new AbortController();
    expect(await plugin.host.runs.wait(id, { signal })).toMatchObject({ status: 'completed' });
    const [first, second] = answers as { taskId: string; isDuplicate: boolean }[];
    expect(first).toMatchObject({ isDuplicate: false });
    expect(second).toMatchObject({ taskId: first?.taskId, isDuplicate: true });
  } finally {
    await plugin.stop();
  }
});

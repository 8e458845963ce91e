import { setTimeout as wait } from 'node:timers/promises';
import { text, tool } from './tool.mjs';

/** A call that takes its time and tells of it. */
export function slowTools(_switches, { wire }) {
  return [
    tool({
      name: 'slow',
      description: 'Takes `steps` times `stepMs`, with a progress report after each, until it is cancelled.',
      inputSchema: {
        type: 'object',
        properties: { steps: { type: 'integer', default: 3 }, stepMs: { type: 'integer', default: 20 } },
      },
      async call({ steps = 3, stepMs = 20 }, { meta, signal }) {
        for (let done = 1; done <= steps; done += 1) {
          await wait(stepMs, undefined, { signal });
          if (meta.progressToken === undefined) continue;
          wire.notify('notifications/progress', {
            progressToken: meta.progressToken,
            progress: done,
            total: steps,
            message: `step ${done}`,
          });
        }
        return text(`${steps} steps`);
      },
    }),
    tool({
      name: 'burst',
      description: 'Its progress reports and its result leave in one chunk.',
      async call(_args, { meta }) {
        if (meta.progressToken === undefined) return text('nobody asked for reports');
        process.stdout.cork();
        for (const progress of [1, 2, 3]) {
          wire.notify('notifications/progress', { progressToken: meta.progressToken, progress, total: 3 });
        }
        setImmediate(() => process.stdout.uncork());
        return text('3 reports');
      },
    }),
  ];
}

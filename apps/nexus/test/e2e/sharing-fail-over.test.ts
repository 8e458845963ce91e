import { failOver } from '../harness/fail-over.ts';
import { shareProject } from '../harness/shared-project.ts';
import { verifiesApp } from '../harness/verifies.ts';

const ROUNDS = 20;

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  verifiesApp(
    'sharing.fail-over',
    `answers each open request once, ${ROUNDS} servers ended by ${signal} in turn`,
    async () => {
      await using project = await shareProject({ slowPlugin: true });
      const tookMs = [...(await failOver(project, { signal, rounds: ROUNDS }))].sort((a, b) => a - b);
      const median = tookMs[Math.floor(tookMs.length / 2)] ?? 0;
      console.log(
        `${signal}: first answer of the next server after ${median.toFixed(0)} ms at the median, ${tookMs.at(-1)?.toFixed(0)} ms at most`,
      );
    },
    240_000,
  );
}

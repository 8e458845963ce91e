import { it } from 'vitest';
import { failOver } from '../harness/fail-over.ts';
import { shareProject } from '../harness/shared-project.ts';

const ROUNDS = 10;

it.each(['SIGKILL', 'SIGTERM'] as const)(
  `each open request of 8 bridges is answered once, ${ROUNDS} servers ended by %s in turn`,
  async (signal) => {
    await using project = await shareProject({ slowPlugin: true });
    const tookMs = [...(await failOver(project, { signal, rounds: ROUNDS }))].sort((a, b) => a - b);
    const median = tookMs[Math.floor(tookMs.length / 2)] ?? 0;
    console.log(
      `${signal}: first answer of the next server after ${median.toFixed(0)} ms at the median, ${tookMs.at(-1)?.toFixed(0)} ms at most`,
    );
  },
);

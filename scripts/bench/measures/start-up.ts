import type { Measure } from '../figure.ts';
import type { StdioServer } from '../servers.ts';
import { interleave, median } from '../statistics.ts';
import { makeScratch } from '../subjects.ts';

const ROUNDS = 21;

export const startUp: Measure = {
  name: 'start-up',
  method: `From spawn to the first answer to tools/list; median of ${ROUNDS}, in turn.`,
  async run() {
    using scratch = makeScratch();
    const timed = (start: () => Promise<StdioServer>) => async () => {
      const startedAt = performance.now();
      const server = await start();
      await server.request('tools/list');
      const tookMs = performance.now() - startedAt;
      await server.stop();
      return tookMs;
    };
    const samples = await interleave(
      { nexus: timed(scratch.startNexus), bare: timed(scratch.startBare) },
      ROUNDS,
    );
    return [
      {
        what: 'Start to first tools/list',
        unit: 'ms',
        nexus: median(samples.nexus),
        against: { name: 'bare SDK server, one tool', value: median(samples.bare) },
        target: { of: 'ratio', atMost: 0.9 },
      },
    ];
  },
};

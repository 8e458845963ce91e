import type { Measure } from '../figure.ts';
import { inRehearsal } from '../rehearsal.ts';
import { interleave, median } from '../statistics.ts';
import { makeScratch, withNoop } from '../subjects.ts';
import { timedCall } from '../timed-call.ts';

const WARM_UP = inRehearsal(1, 500);
const CALLS = inRehearsal(1, 3000);

export const stdioCall: Measure = {
  name: 'stdio-call',
  method: `A no-op tools/call over stdio, one at a time, ${CALLS} in turn after ${WARM_UP} to warm up; median. Then resident memory of both.`,
  async run() {
    using scratch = makeScratch(withNoop);
    const nexus = await scratch.startNexus();
    const bare = await scratch.startBare();
    const contestants = { nexus: timedCall(nexus), bare: timedCall(bare) };
    try {
      await interleave(contestants, WARM_UP);
      const samples = await interleave(contestants, CALLS);
      return [
        {
          what: 'No-op call over stdio',
          unit: 'ms',
          nexus: median(samples.nexus),
          against: { name: 'bare SDK server', value: median(samples.bare) },
          target: { of: 'ratio', atMost: 1.25 },
        },
        {
          what: 'Resident memory after those calls',
          unit: 'MB',
          nexus: nexus.rssMb(),
          against: { name: 'bare SDK server', value: bare.rssMb() },
          target: { of: 'ratio', atMost: 1.4 },
        },
      ];
    } finally {
      await Promise.all([nexus.stop(), bare.stop()]);
    }
  },
};

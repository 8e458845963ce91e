import type { Measure } from '../figure.ts';
import { inRehearsal } from '../rehearsal.ts';
import { interleave, median } from '../statistics.ts';
import { makeScratch, withNoop } from '../subjects.ts';
import { timedCall } from '../timed-call.ts';

const WARM_UP = inRehearsal(1, 1000);
const CALLS = inRehearsal(1, 3000);
const SILENT = { audit: { enabled: false }, traces: { enabled: false } };

export const records: Measure = {
  name: 'records',
  method: `The same no-op call over stdio of a server that keeps nothing and of one that keeps a span of each call, then of a call that is audited and one that is not; one at a time by turns, ${CALLS} each after ${WARM_UP} to warm up; traces by two servers of each kind; median.`,
  async run() {
    using plain = makeScratch({ ...withNoop, ...SILENT });
    using tracing = makeScratch({ ...withNoop, ...SILENT, traces: { enabled: true, calls: true } });
    using auditing = makeScratch({ ...withNoop, ...SILENT, audit: { enabled: true } });
    // Each call has a server of its own: one that is called more often is called faster. Two of each, where one process
    // of the same kind can be a tenth faster than the other for all its life.
    const [silent, silentToo, traced, tracedToo, silentWrite, auditedWrite] = await Promise.all([
      plain.startNexus(),
      plain.startNexus(),
      tracing.startNexus(),
      tracing.startNexus(),
      plain.startNexus(),
      auditing.startNexus(),
    ]);
    const contestants = {
      silent: timedCall(silent),
      silentToo: timedCall(silentToo),
      traced: timedCall(traced),
      tracedToo: timedCall(tracedToo),
      silentWrite: timedCall(silentWrite, 'noop_write'),
      auditedWrite: timedCall(auditedWrite, 'noop_write'),
    };
    try {
      await interleave(contestants, WARM_UP);
      const samples = await interleave(contestants, CALLS);
      return [
        {
          what: 'No-op call, with a trace of each',
          unit: 'ms',
          nexus: median([...samples.traced, ...samples.tracedToo]),
          against: { name: 'no traces', value: median([...samples.silent, ...samples.silentToo]) },
          target: { of: 'ratio', atMost: 1.1 },
        },
        {
          what: 'What the audit trail adds to a call',
          unit: 'ms',
          nexus: median(samples.auditedWrite) - median(samples.silentWrite),
          target: { of: 'value', atMost: 0.3 },
        },
      ];
    } finally {
      const servers = [silent, silentToo, traced, tracedToo, silentWrite, auditedWrite];
      await Promise.all(servers.map((server) => server.stop()));
    }
  },
};

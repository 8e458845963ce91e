import type { Audit, AuditFault } from '@nexus/plugin-sdk';
import { startPlugin } from '@nexus/testing';
import { expect, it } from 'vitest';
import observability from './index.ts';

interface Answer {
  readonly faults: readonly AuditFault[];
  readonly nextOffset?: number;
}

const faults = Array.from(
  { length: 20_060 },
  (_, index): AuditFault => ({ kind: 'edited', where: `000001.jsonl:${index}`, what: 'it is another' }),
);

const audit: Audit = {
  async record() {},
  async *calls() {},
  async verify(folder) {
    return {
      ...{ unaltered: false, complete: true, fresh: true, behind: [], faults, open: [] },
      ...{ running: 1, interrupted: 2, missed: 0, writers: 3, events: 4, checkpoints: 5 },
      ...{ anchors: [{ anchor: 'a', number: 5, at: folder ?? 'own' }], afterLastCheckpoint: 0 },
    };
  },
};

it('names every fault, a page after the other, and counts them', async () => {
  const plugin = await startPlugin(observability, { audit });
  try {
    const named: unknown[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const answer: Answer = await plugin.answer('verify_audit_chain', { logDir: 'copy', offset });
      expect(answer).toMatchObject({
        unaltered: false,
        anchors: [{ at: 'copy' }],
        counts: { faults: faults.length, running: 1 },
      });
      named.push(...answer.faults);
      offset = answer.nextOffset;
    }
    expect(named).toEqual(faults);
  } finally {
    await plugin.stop();
  }
});

import type { Audit, AuditFault } from '@nexus/plugin-sdk';
import { startPlugin } from '@nexus/testing';
import { expect, it } from 'vitest';
import observability from './index.ts';

const faults = Array.from(
  { length: 60 },
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

it('names every fault, and counts them', async () => {
  const plugin = await startPlugin(observability, { audit });
  try {
    const answer = await plugin.answer('verify_audit_chain', { logDir: 'copy' });
    expect(answer).toMatchObject({
      unaltered: false,
      anchors: [{ at: 'copy' }],
      counts: { faults: 60, running: 1 },
    });
    expect(answer.faults).toHaveLength(60);
  } finally {
    await plugin.stop();
  }
});

import { defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';

/** Faults, and open calls, of one answer; `nextOffset` says where the next begins. */
const MOST_SHOWN = 10_000;

export const verifyAuditChain = defineTool({
  name: 'verify_audit_chain',
  title: 'Verify the audit trail',
  description:
    'Is the audit trail of all calls that may change something unaltered, complete (each call has an outcome) and fresh (anchors are up to date)? Names each fault with its place.',
  input: z.object({
    logDir: z.string().min(1).max(1_000).optional().describe('Another trail in the data directory.'),
    offset: z.int().min(0).max(1e9).default(0).describe('To skip of each list.'),
  }),
  output: z.object({
    unaltered: z.boolean(),
    complete: z.boolean(),
    fresh: z.boolean().optional(),
    faults: z.array(z.object({ kind: z.string(), where: z.string(), what: z.string() })),
    open: z.array(z.object({ writer: z.string(), seq: z.int(), tool: z.string() })),
    counts: z.object({
      faults: z.int().describe('All of them, where `faults` has 10 000 at most.'),
      open: z.int().describe('Calls without an outcome whose process is gone; as of faults.'),
      running: z.int(),
      interrupted: z.int().describe('Calls whose process ended before they did.'),
      missed: z.int().describe('Events that could not be written while calls went on.'),
      writers: z.int(),
      events: z.int(),
      checkpoints: z.int(),
      afterLastCheckpoint: z.int(),
    }),
    anchors: z.array(z.object({ anchor: z.string(), number: z.int(), at: z.string() })),
    nextOffset: z.int().optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'network',
  async call({ logDir, offset }, { host }) {
    const {
      unaltered,
      complete,
      fresh,
      behind: _,
      faults,
      open,
      anchors,
      ...counts
    } = await host.audit.verify(logDir);
    const end = offset + MOST_SHOWN;
    return {
      unaltered,
      complete,
      fresh,
      faults: faults.slice(offset, end).map(({ kind, where, what }) => ({ kind, where, what })),
      open: open.slice(offset, end).map(({ writer, seq, tool }) => ({ writer, seq, tool })),
      counts: { ...counts, faults: faults.length, open: open.length },
      anchors: anchors.map(({ anchor, number, at }) => ({ anchor, number, at })),
      ...(end < Math.max(faults.length, open.length) ? { nextOffset: end } : {}),
    };
  },
});

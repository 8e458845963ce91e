import { defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';

/** An answer is cut to what a model takes, and all of it kept; beyond this `nexus audit --json` has the rest. */
const MOST_SHOWN = 10_000;

export const verifyAuditChain = defineTool({
  name: 'verify_audit_chain',
  title: 'Verify the audit trail',
  description:
    'Is the audit trail of all calls that may change something unaltered, complete (each call has an outcome) and fresh (anchors are up to date)? Names each fault with its place.',
  input: z.object({
    logDir: z.string().min(1).max(1_000).optional().describe('Another trail in the data directory.'),
  }),
  output: z.object({
    unaltered: z.boolean(),
    complete: z.boolean(),
    fresh: z.boolean().optional(),
    faults: z.array(z.object({ kind: z.string(), where: z.string(), what: z.string() })),
    open: z.array(z.object({ writer: z.string(), seq: z.int(), tool: z.string() })),
    counts: z.object({
      faults: z.int().describe('All of them; `faults` has the first 10 000, `nexus audit --json` all.'),
      open: z.int().describe('Calls without an outcome whose process is gone; `open` has the first 10 000.'),
      running: z.int(),
      interrupted: z.int().describe('Calls whose process ended before they did.'),
      missed: z.int().describe('Events that could not be written while calls went on.'),
      writers: z.int(),
      events: z.int(),
      checkpoints: z.int(),
      afterLastCheckpoint: z.int(),
    }),
    anchors: z.array(z.object({ anchor: z.string(), number: z.int(), at: z.string() })),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'network',
  async call({ logDir }, { host }) {
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
    return {
      unaltered,
      complete,
      fresh,
      faults: faults.slice(0, MOST_SHOWN).map(({ kind, where, what }) => ({ kind, where, what })),
      open: open.slice(0, MOST_SHOWN).map(({ writer, seq, tool }) => ({ writer, seq, tool })),
      counts: { ...counts, faults: faults.length, open: open.length },
      anchors: anchors.map(({ anchor, number, at }) => ({ anchor, number, at })),
    };
  },
});

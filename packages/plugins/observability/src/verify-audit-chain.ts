import { defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';

/** The rest is counted. */
const MOST_SHOWN = 50;

export const verifyAuditChain = defineTool({
  name: 'verify_audit_chain',
  title: 'Verify the audit trail',
  description:
    'Reads the audit trail of all calls that may change something, and says whether it is unaltered (chains, signed checkpoints and anchors agree), complete (nothing is missing, each call has an outcome) and fresh (anchors are up to date). Names each fault with its place. Changes nothing.',
  input: z.object({
    logDir: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe(
        'A trail in another folder of the data directory, such as a copy; by default the server’s own.',
      ),
  }),
  output: z.object({
    unaltered: z.boolean(),
    complete: z.boolean(),
    fresh: z.boolean().optional(),
    faults: z.array(z.object({ kind: z.string(), where: z.string(), what: z.string() })),
    faultCount: z.int(),
    open: z.array(z.object({ writer: z.string(), seq: z.int(), tool: z.string() })),
    openCount: z.int(),
    running: z.int(),
    interrupted: z.int(),
    writers: z.int(),
    events: z.int(),
    checkpoints: z.int(),
    anchoredUpTo: z.object({ number: z.int(), at: z.string() }).optional(),
    afterLastCheckpoint: z.int(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'network',
  async call({ logDir }, { host }) {
    const { faults, open, ...rest } = await host.audit.verify(logDir);
    return {
      ...rest,
      faults: faults.slice(0, MOST_SHOWN).map(({ kind, where, what }) => ({ kind, where, what })),
      faultCount: faults.length,
      open: open.slice(0, MOST_SHOWN).map(({ writer, seq, tool }) => ({ writer, seq, tool })),
      openCount: open.length,
    };
  },
});

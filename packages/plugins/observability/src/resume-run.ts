import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';

export const resumeRun = defineTool({
  name: 'resume_run',
  title: 'Resume a run',
  description:
    'Goes on with a run that works, paused, failed or was cancelled, with what is done, and answers as its tool does.',
  input: z.object({
    runId: z.string().min(1).max(100).describe('As a tool or its error named it.'),
    from: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe('Done anew from this step; of a graph a node, or <node>#<visit>.'),
    maxTokens: z.int().min(1).max(1_000_000_000).optional().describe('In all, within the config’s cap.'),
  }),
  output: z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  isConduit: true,
  isLong: true,
  // Called again under its key, it finds what its first call began.
  isResumable: true,
  budget: 'pipeline',
  answersWholeResult: true,
  async call({ runId, ...how }, { host, user, resumeRun: resume }: CallContext) {
    const { id, kind } = await host.runs.get(runId, { user });
    const result = await resume(kind, { runId: id, ...how });
    return { ...result, content: [...result.content] };
  },
});

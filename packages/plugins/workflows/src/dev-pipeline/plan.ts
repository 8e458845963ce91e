import { z } from 'zod';

/** What the planner answers, and the implementer works through. */
export const DevPlan = z.object({
  summary: z.string().min(1).max(2_000).describe('What is changed and why, in a few sentences.'),
  tasks: z
    .array(
      z.object({
        title: z.string().min(1).max(100).describe('As the subject of a commit: what it does.'),
        description: z
          .string()
          .min(1)
          .max(4_000)
          .describe(
            'All that must be known to do it; whoever does it sees neither the research nor the other tasks.',
          ),
        files: z
          .array(z.string().max(300))
          .max(50)
          .default([])
          .describe('Those that it will touch, as far as known.'),
      }),
    )
    .min(1)
    .max(20)
    .describe('In the order in which they are done; each leaves the project whole.'),
  risks: z.array(z.string().min(1).max(500)).max(10).default([]).describe('What could go wrong.'),
  verification: z.string().min(1).max(1_000).describe('How it will be seen that it works.'),
});

export type DevPlan = z.output<typeof DevPlan>;

/** A plan as a person reads it. */
export function planText({ summary, tasks, risks, verification }: DevPlan): string {
  return [
    summary,
    ...tasks.map(({ title, description, files }, index) => {
      const named = files.length > 0 ? `\n\nFiles: ${files.map((file) => `\`${file}\``).join(', ')}` : '';
      return `### ${index + 1}. ${title}\n\n${description}${named}`;
    }),
    ...(risks.length > 0 ? [`### Risks\n\n${risks.map((risk) => `- ${risk}`).join('\n')}`] : []),
    `### Verification\n\n${verification}`,
  ].join('\n\n');
}

import { circlesOf } from '@nexus/primitives';
import { z } from 'zod';
import { expertRoles } from '../roles/roles.ts';

const StepId = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be short kebab-case, such as find-callers');

/** What the planner answers; checked for what a schema can't say by {@link planFaults}. */
export const Plan = z.object({
  steps: z
    .array(
      z.object({
        id: StepId.describe('Unique among the steps.'),
        expert: z.enum(expertRoles).describe('Who does it.'),
        title: z.string().min(1).max(120).describe('For people: what is done, in a few words.'),
        task: z
          .string()
          .min(1)
          .max(8_000)
          .describe('All that the expert must know and do; it sees neither the request nor the other steps.'),
        needs: z
          .array(StepId)
          .max(20)
          .default([])
          .describe('Steps whose results this one must read. Without any they run side by side.'),
      }),
    )
    .min(1)
    .max(50),
});

export type Plan = z.output<typeof Plan>;
export type PlanStep = Plan['steps'][number];

/** What is wrong with a plan, in words for the planner; none for one that can be done. */
export function planFaults({ steps }: Plan, maxSteps: number): string[] {
  const ids = steps.map(({ id }) => id);
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  const unknown = steps.flatMap(({ id, needs }) =>
    needs.filter((need) => !ids.includes(need)).map((need) => `step ${id} needs ${need}, which is no step`),
  );
  return [
    ...(steps.length > maxSteps
      ? [`it has ${steps.length} steps, and at most ${maxSteps} may be taken`]
      : []),
    ...[...new Set(repeated)].map((id) => `two steps are called ${id}`),
    ...unknown,
    ...(repeated.length === 0 && unknown.length === 0 ? cycleFaults(steps) : []),
  ];
}

function cycleFaults(steps: readonly PlanStep[]): string[] {
  const circles = circlesOf(new Map(steps.map(({ id, needs }) => [id, new Set(needs)])));
  return circles.map((circle) => `these steps wait for each other in a circle: ${circle.join(', ')}`);
}

import { cutEnd } from '@nexus/primitives';
import type { Plan, PlanStep } from './plan.ts';

/** As much as one expert does in one turn. */
const MAX_PARTS = 4;
const MAX_PART_CHARS = 1_500;
const MAX_TITLE_CHARS = 120;

/**
 * A plan with as few turns as it needs: short steps of one expert that wait for the same ones, and so would run side by
 * side, are one turn of that expert. It tells the model of itself, of the project and of its tools once, and needs one
 * review.
 */
export function fitPlan({ steps }: Plan): Plan {
  const groups: PlanStep[][] = [];
  for (const step of steps) {
    const group = groups.find((each) => fits(step, each));
    if (group) group.push(step);
    else groups.push([step]);
  }
  const nameOf = new Map(groups.flatMap((group) => group.map(({ id }) => [id, group[0]?.id ?? id])));
  return {
    steps: groups.map((group) => {
      const step = joined(group);
      return { ...step, needs: [...new Set(step.needs.map((need) => nameOf.get(need) ?? need))] };
    }),
  };
}

function fits(step: PlanStep, group: readonly PlanStep[]): boolean {
  const [first] = group;
  const isShort = [step, ...group].every(({ task }) => task.length <= MAX_PART_CHARS);
  return (
    first !== undefined &&
    first.expert === step.expert &&
    first.needs.length === step.needs.length &&
    first.needs.every((need) => step.needs.includes(need)) &&
    group.length < MAX_PARTS &&
    isShort
  );
}

function joined(group: readonly PlanStep[]): PlanStep {
  const [first, ...others] = group as readonly [PlanStep, ...PlanStep[]];
  if (others.length === 0) return first;
  const parts = group.map(({ title, task }) => `## ${title}\n\n${task}`);
  return {
    ...first,
    title: cutEnd(group.map(({ title }) => title).join('; '), MAX_TITLE_CHARS),
    task: ['Do each of these, and answer each under its heading:', ...parts].join('\n\n'),
  };
}

import { notRun, type Outcome } from './judge.ts';
import type { Step } from './steps.ts';

/** How many steps run side by side; on two cores more would only wait for each other. */
const LANES = 2;

interface StepRunner {
  run(step: Step): Promise<Outcome>;
  /** Told of each step as it ends. */
  ended(outcome: Outcome): void;
}

/**
 * Runs each step once what it needs has ended, two at a time but for those that fill the machine themselves.
 * None overtakes an earlier one that only waits for room.
 * @param steps each after those it needs
 * @returns in the order of the steps
 */
export async function runSteps(steps: readonly Step[], { run, ended }: StepRunner): Promise<Outcome[]> {
  const outcomes = new Map<string, Outcome>();
  const running = new Map<Step, Promise<void>>();
  const waiting = [...steps];
  const end = (step: Step, outcome: Outcome) => {
    running.delete(step);
    outcomes.set(step.name, outcome);
    ended(outcome);
  };
  const isSettled = (name: string) => outcomes.has(name) || !steps.some((step) => step.name === name);
  const hasRoomFor = ({ fillsMachine }: Step) =>
    running.size === 0 ||
    (running.size < LANES && !fillsMachine && ![...running.keys()].some((step) => step.fillsMachine));

  while (waiting.length + running.size > 0) {
    const next = waiting.find(({ needs = [] }) => needs.every(isSettled));
    if (!next || !hasRoomFor(next)) {
      await Promise.race(running.values());
      continue;
    }
    waiting.splice(waiting.indexOf(next), 1);
    const missing = next.needs?.find((name) => (outcomes.get(name)?.status ?? 'passed') !== 'passed');
    if (missing !== undefined) end(next, notRun(next, missing));
    else
      running.set(
        next,
        run(next).then((outcome) => end(next, outcome)),
      );
  }
  return steps.flatMap(({ name }) => outcomes.get(name) ?? []);
}

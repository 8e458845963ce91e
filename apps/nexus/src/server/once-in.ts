import type { RerunPlan } from '@nexus/plugin-sdk';

/** How a step of a run is called where it is shown; undefined for what is not shown of it. */
export type TitleOf = (runId: string, name: string) => string | undefined;

/** What is done again in a run, and in those below it, that must not be done twice. */
export function onceIn({ runId, repeated }: RerunPlan, titleOf: TitleOf = (_, name) => name): string[] {
  return repeated.flatMap(({ name, again = [], runs = [] }) => [
    ...again.map((each) => (each === name ? titleOf(runId, name) : each) ?? each),
    ...runs.flatMap((below) => onceIn(below, titleOf)),
  ]);
}

/** What is of unknown outcome in a run, and in those below it, and told first. */
export function unknownIn({ unknown = [], repeated }: RerunPlan): string[] {
  const below = repeated.flatMap(({ name, answered, runs = [] }) => [
    ...(answered?.isUnsaid ? [name] : []),
    ...runs.flatMap(unknownIn),
  ]);
  return [...unknown, ...below];
}

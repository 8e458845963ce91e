import { digestOfText } from './values.ts';

/** What a step's calls are known by: the same for every attempt of the step, in whatever process. */
export function stepKey(runId: string, name: string): string {
  return `nx-${digestOfText(`${runId}\n${name}`).slice(0, 32)}`;
}

import type { Worker } from '../workers.ts';

/** What a task needs, as one text: the same for the same capabilities. Tasks that wait are kept apart by it. */
export function needsKey(capabilities: readonly string[]): string {
  return JSON.stringify([...new Set(capabilities)].sort());
}

/** Marks the one worker that a task is for, among what it needs: no capability begins with this. */
export const NAME_MARK = '@';

/** What a task needs that is handed to one worker, or to whoever can do it. */
export function needsOf(needs: string, to: string | undefined): string {
  const skills = (JSON.parse(needs) as string[]).filter((each) => !each.startsWith(NAME_MARK));
  return needsKey(to === undefined ? skills : [...skills, `${NAME_MARK}${to}`]);
}

/** Whether the worker has all that is needed. */
export function canDo({ name, capabilities }: Pick<Worker, 'name' | 'capabilities'>, needs: string): boolean {
  const has = (each: string) => capabilities.includes(each) || each === `${NAME_MARK}${name}`;
  return (JSON.parse(needs) as string[]).every(has);
}

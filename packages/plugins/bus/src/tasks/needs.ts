import type { Worker } from '../workers.ts';

/** What a task needs, as one text: the same for the same capabilities. Tasks that wait are kept apart by it. */
export function needsKey(capabilities: readonly string[]): string {
  return JSON.stringify([...new Set(capabilities)].sort());
}

/** Whether the worker has all that is needed. */
export function canDo({ capabilities }: Pick<Worker, 'capabilities'>, needs: string): boolean {
  return (JSON.parse(needs) as string[]).every((each) => capabilities.includes(each));
}

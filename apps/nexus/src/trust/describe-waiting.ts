import type { Part } from './part.ts';

/** How the parts that wait are let in, for people and for models that tell people. */
export const HOW_TO_ALLOW =
  '`nexus trust`, run by the user in the project, shows what they would run, load and send, and lets them in';

/** What waits for the user's trust, in one sentence; none where nothing does. */
export function describeWaiting(waiting: readonly Part[]): string[] {
  if (waiting.length === 0) return [];
  const names = waiting.map(({ name }) => name).join(', ');
  return [
    `These parts of the project's config are not used until its user trusts them: ${names}; ${HOW_TO_ALLOW}.`,
  ];
}

/** Why a server of a toolbox can't be used. */
export const SERVER_WAITS = `waits for the user’s trust; ${HOW_TO_ALLOW}`;

import type { Part } from './part.ts';
import { isClaim } from './project-part.ts';

/** How the parts that wait are let in, for people and for models that tell people. */
export const HOW_TO_ALLOW =
  '`nexus trust`, run by the user in the project, shows what they would run, load and send, and lets them in';

/** What waits for the user's trust, a sentence each for config and repository; none where nothing does. */
export function describeWaiting(waiting: readonly Part[]): string[] {
  const claims = waiting.filter(isClaim);
  const names = waiting.filter((part) => !isClaim(part)).map(({ name }) => name);
  return [
    ...(names.length > 0
      ? [
          `These parts of the project's config are not used until its user trusts them: ${names.join(', ')}; ${HOW_TO_ALLOW}.`,
        ]
      : []),
    ...claims.map(
      ({ name }) =>
        `What the shared database holds of ${name} is not used until the user says that this repository is that project, as it claims; until then this folder has rows of its own. ${HOW_TO_CLAIM}.`,
    ),
  ];
}

const HOW_TO_CLAIM =
  '`nexus trust`, run by the user in the project, says so for this folder; NEXUS_PROJECT_ID in the server’s environment does for containers and CI';

/** Why a server of a toolbox can't be used. */
export const SERVER_WAITS = `waits for the user’s trust; ${HOW_TO_ALLOW}`;

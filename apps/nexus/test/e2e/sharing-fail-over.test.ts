import { failOver } from '../harness/fail-over.ts';
import { shareProject } from '../harness/shared-project.ts';
import { verifiesApp } from '../harness/verifies.ts';

/** The slow tests run many more. */
const ROUNDS = 3;

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  verifiesApp(
    'sharing.fail-over',
    `answers each open request once when ${signal} ends the server`,
    async () => {
      await using project = await shareProject({ slowPlugin: true });
      await failOver(project, { signal, rounds: ROUNDS });
    },
  );
}

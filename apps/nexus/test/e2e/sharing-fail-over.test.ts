import { failOver } from '../harness/fail-over.ts';
import { shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

/** The slow tests run many more. */
const ROUNDS = 3;

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  const failsOver = async () => {
    await using project = await shareProject({ slowPlugin: true });
    await failOver(project, { signal, rounds: ROUNDS });
  };
  if (signal === 'SIGKILL') {
    verifiesApp(
      'sharing.fail-over',
      `answers each open request once when ${signal} ends the server`,
      failsOver,
    );
  } else {
    slowlyVerifiesApp(
      'sharing.fail-over',
      `answers each open request once when ${signal} ends the server`,
      failsOver,
    );
  }
}

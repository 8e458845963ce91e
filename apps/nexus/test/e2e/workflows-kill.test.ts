import { verifiesApp } from '../harness/verifies.ts';
import { killWorkflow, SUBJECTS, type Subject } from '../harness/workflow-kill.ts';

for (const subject of Object.keys(SUBJECTS) as Subject[]) {
  for (let at = 1; at <= SUBJECTS[subject].requests; at += 1) {
    // By turns, since each is a take-over of its own.
    const isBridge = at % 2 === 0;
    const who = isBridge ? 'a bridge' : 'the next server';
    verifiesApp('workflows.kill', `${who} goes on with ${subject} after model call ${at}`, () =>
      killWorkflow({ subject, at, isBridge }),
    );
  }
}

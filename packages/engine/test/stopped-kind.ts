import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AnyRunKind, defineRun } from '@nexus/plugin-sdk';

/** A step that ends, whatever its signal says, once a file is there; its answer names who did it. */
export function stoppedKind({ by, goFile }: { by: string; goFile: string | undefined }): AnyRunKind {
  return defineRun({
    name: 'stopped.run',
    version: 1,
    run: (_: null, run) =>
      run.step('work', async () => {
        while (goFile !== undefined && !existsSync(goFile)) await sleep(10);
        return by;
      }),
  });
}

import { appendFileSync } from 'node:fs';
import { type AnyRunKind, defineRun, type RunContext } from '@nexus/plugin-sdk';

/** Kinds whose every piece of work leaves a line in a file, to be counted whoever did it. */
export function killedKinds(file: string): readonly AnyRunKind[] {
  const work = (run: RunContext, name: string) =>
    run.step(name, () => {
      appendFileSync(file, `${name}\n`);
      return name;
    });
  const child = defineRun({
    name: 'killed.child',
    version: 1,
    run: async (_: null, run) => [await work(run, 'child-1'), await work(run, 'child-2')],
  });
  const parent = defineRun({
    name: 'killed.parent',
    version: 1,
    async run(_: null, run) {
      const first = await work(run, 'first');
      const both = await run.parallel(['left', 'right'].map((name) => () => work(run, name)));
      const deep = await run.child('child', child, null);
      await run.sleep('nap', 1);
      await run.event('said', { first });
      return [first, ...both, ...(deep as string[]), await work(run, 'last')];
    },
  });
  return [parent, child];
}

export const WHOLE = ['first', 'left', 'right', 'child-1', 'child-2', 'last'];

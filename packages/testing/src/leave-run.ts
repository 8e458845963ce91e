import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePlugin, defineRun, type RunContext, type RunKindName } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { startPlugin } from './start-plugin.ts';

interface LeftStep {
  readonly name: string;
  /** Absent for a reading of the clock. */
  readonly output?: unknown;
  /** Where the step had one, for it is on record by its digest. */
  readonly input?: unknown;
}

/** A run as a version of its plugin left it that is not there any more: its steps, literally as they are on record. */
export interface LeftRun {
  readonly kind: RunKindName;
  readonly input: unknown;
  readonly definition?: unknown;
  /** In the order of their ends. */
  readonly steps: readonly LeftStep[];
  /** What it came to; without it the run was under way. */
  readonly output?: unknown;
}

/**
 * Puts such a run on record, for a test that the plugin of now goes on with it.
 * @returns its id, and the folder to start the plugin on as `dataDir`; whoever asked removes it
 */
export async function leaveRun({ kind, input, definition, steps, output }: LeftRun) {
  const dataDir = mkdtempSync(join(tmpdir(), 'nexus-left-'));
  const started = new AbortController();
  const of = defineRun({
    ...kind,
    async run(_: unknown, run: RunContext) {
      for (const { name, output: came, input: given } of steps) {
        if (came === undefined) await run.now(name);
        else await run.step(name, () => came, given === undefined ? {} : { input: given });
      }
      if (output !== undefined) return output;
      started.abort();
      return untilEnded(run);
    },
  });
  const plugin = await startPlugin(
    definePlugin({
      name: kind.name.split('.')[0] ?? '',
      options: z.object({}),
      tools: [],
      runs: [of],
      start: async () => ({}),
      stop: async () => {},
    }),
    { dataDir },
  );
  const { id } = await plugin.host.runs.start(of, input, { definition });
  if (output === undefined) await new Promise((resolve) => started.signal.addEventListener('abort', resolve));
  else await plugin.host.runs.wait(id, { signal: started.signal });
  await plugin.stop();
  return { id, dataDir };
}

function untilEnded({ signal }: { readonly signal: AbortSignal }): Promise<never> {
  // Between two steps, where a kill leaves nothing on record.
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

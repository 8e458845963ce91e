import { ToolError } from '@nexus/plugin-sdk';
import { createRunContext } from '../execution/run-context.ts';
import type { RunInstance } from '../execution/run-instance.ts';
import { runGraph } from '../graph/run-graph.ts';
import { fromStored } from '../record/values.ts';
import type { Kinds } from './kinds.ts';

/** Does what a run is to do, by the code of its kind. @returns what it comes to */
export async function perform(instance: RunInstance, kinds: Kinds): Promise<unknown> {
  const { run } = instance;
  const known = kinds.get({ name: run.kind, version: run.version });
  if (!known) throw new ToolError('NEXUS_UNAVAILABLE', `No plugin here knows runs of kind ${run.kind}.`);
  // A call that is answered needs no tool any more, and one that can't be made again has its end on record.
  const { on } = instance.services;
  const input = await fromStored(on.db, run.id, run.input);
  if (known.isElsewhere?.(run, input) && !instance.hasEndedSteps) {
    kinds.leave(run, input);
    return instance.leaveToOthers();
  }
  // By the run's own door: it waits for as long as it takes, also where the plugin that starts needs the store.
  const loaded = await on.ask(() => known.load()).catch((error: unknown) => instance.keep(error));
  const { kind, host, state } = loaded;
  const definition = await fromStored(on.db, run.id, run.definition);
  const context = createRunContext(instance, { state, host, definition });
  return 'run' in kind ? kind.run(input, context) : runGraph({ kind, input, context });
}

import { isToolError } from '@nexus/plugin-sdk';
import { ask, type Outside, PATIENCE_MS, somebody } from './errands.ts';

/** More than any program spends. */
const ENOUGH_TOKENS = 1_000_000;

/** Somebody who finds families that stand at their cap, and that nobody asks for any more, and lets them go on. */
export async function letGoOn(outside: Outside, rootIds: readonly string[]): Promise<void> {
  const cap = { tokens: ENOUGH_TOKENS };
  for (const rootId of rootIds) {
    const process = await somebody(outside);
    const said = await ask(outside, process, () => process.engine.runs.resume(rootId, { cap }), PATIENCE_MS);
    // What still stands then is found again.
    if (said instanceof Error && !isToolError(said)) {
      outside.world.wrong(`run ${rootId} could not be resumed: ${said.message}`);
    }
  }
}

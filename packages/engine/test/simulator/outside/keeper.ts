import { isToolError } from '@nexus/plugin-sdk';
import { ask, type Outside, PATIENCE_MS, somebody } from './asking.ts';

/** More than any program spends. */
const ENOUGH_TOKENS = 1_000_000;

/**
 * Somebody who finds families that nobody asks for any more: what stands at its cap is resumed, and where no server
 * goes on with the rest a command does.
 */
export async function letGoOn(
  outside: Outside,
  rootIds: readonly string[],
  { isServer }: { readonly isServer: boolean },
): Promise<void> {
  const cap = { tokens: ENOUGH_TOKENS };
  for (const rootId of rootIds) {
    const process = await somebody(outside);
    const goOn = async (signal: AbortSignal) => {
      await process.engine.runs.resume(rootId, { cap });
      if (!isServer) await process.engine.carryOn(rootId, { signal });
    };
    const said = await ask(outside, process, goOn, PATIENCE_MS);
    // What still stands then is found again.
    if (said instanceof Error && !isToolError(said)) {
      outside.world.wrong(`run ${rootId} could not be resumed: ${said.message}`);
    }
  }
}

import type { Nexus } from '../boot/boot.ts';
import type { LoadedConfig } from '../loaded-config/load-config.ts';
import { createLog } from '../log.ts';
import { bootOwn } from './own-nexus.ts';

/** Does what no session is needed for in a Nexus of this command's own, on the project's store. */
export async function withOwnNexus<Result>(
  loaded: LoadedConfig,
  work: (nexus: Nexus) => Promise<Result>,
): Promise<Result> {
  const nexus = await bootOwn(loaded, createLog('error'));
  try {
    return await work(nexus);
  } finally {
    await nexus.stop();
  }
}

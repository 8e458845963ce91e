import type { Log } from '@nexus/plugin-sdk';
import { boot, type Nexus } from '../boot/boot.ts';
import type { LoadedConfig } from '../loaded-config/load-config.ts';

const running = new Set<Nexus>();

/** Boots a Nexus of this command's own. */
export async function bootOwn(loaded: LoadedConfig, log: Log): Promise<Nexus> {
  const nexus = await boot(loaded, log);
  running.add(nexus);
  return nexus;
}

/** Ends what this process has booted, where it is to end before its command does: runs are left in good order. */
export async function stopOwn(): Promise<void> {
  await Promise.allSettled([...running].map((nexus) => nexus.stop()));
}

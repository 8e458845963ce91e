import type { BudgetClass } from '@nexus/plugin-sdk';
import { readServer, type ServerReading } from '../../apps/nexus/src/governance/drift/read-server.ts';
import type { ServerLock } from '../../apps/nexus/src/governance/drift/server-lock.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WayIn } from './ways-in/way-in.ts';

export const LOCK_FILE = 'governance/tools.lock.json';

/** What is served, and the budgets that no wire carries, where they could be seen. */
export type ProductLock = ServerLock & { readonly budgets?: Readonly<Record<string, BudgetClass>> };

export interface WayReading {
  readonly way: string;
  readonly lock: ProductLock;
  readonly faults: ServerReading['faults'];
}

export async function readWay(way: WayIn): Promise<WayReading> {
  await using open = await way.open();
  const { lock, faults } = await readServer(open.send);
  return { way: way.name, lock: { ...lock, ...(open.budgets ? { budgets: open.budgets } : {}) }, faults };
}

/** The committed lock; undefined where there is none yet. */
export function readLock(workspace: Workspace): ProductLock | undefined {
  if (!workspace.files.includes(LOCK_FILE)) return undefined;
  return JSON.parse(workspace.read(LOCK_FILE)) as ProductLock;
}

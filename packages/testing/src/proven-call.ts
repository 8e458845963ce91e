import type { AnyTool, Host, ToolCallResult } from '@nexus/plugin-sdk';
import { snapshotFolder } from './snapshot-folder.ts';
import { snapshotStore } from './snapshot-store.ts';
import type { PluginUnderTest } from './start-plugin.ts';
import { watchConnections } from './watch-connections.ts';

/** A call, and each word of its tool's hints that it did not keep. */
export interface ProvenCall {
  readonly result: ToolCallResult;
  readonly lies: readonly string[];
}

/**
 * Calls a tool and holds it to its hints (MCP 2025-11-25, ToolAnnotations): one that only reads leaves files and tables
 * as they were, one of a closed world connects to nobody, and an idempotent one that was called before changes nothing
 * more but when it was called.
 * @param options.isAgain the same call was made before
 */
export async function provenCall(
  plugin: PluginUnderTest,
  { name, annotations }: Pick<AnyTool, 'name' | 'annotations'>,
  args: Readonly<Record<string, unknown>>,
  { isAgain = false }: { readonly isAgain?: boolean } = {},
): Promise<ProvenCall> {
  const { readOnlyHint, idempotentHint, openWorldHint } = annotations;
  const looks = { isOpenWorld: openWorldHint, withTimes: readOnlyHint };
  const before = await snapshotAll(plugin.host, looks);
  const connections = watchConnections();
  const result = await plugin.call(name, args).finally(() => connections.stop());
  const changed = differences(before, await snapshotAll(plugin.host, looks));
  const lies = openWorldHint
    ? []
    : connections.remote.map((host) => `openWorldHint: it connected to ${host}`);
  if (readOnlyHint) lies.push(...changed.map((what) => `readOnlyHint: it changed ${what}`));
  else if (isAgain && idempotentHint)
    lies.push(...changed.map((what) => `idempotentHint: again, it changed ${what}`));
  return { result, lies };
}

type Snapshot = Readonly<Record<string, string>>;

async function snapshotAll(
  { projectRoot, dataDir, store }: Host,
  { isOpenWorld, withTimes }: { readonly isOpenWorld: boolean; readonly withTimes: boolean },
): Promise<Snapshot> {
  const named = (what: string, snapshot: Snapshot) =>
    Object.entries(snapshot).map(([name, hash]) => [`${what} ${name}`, hash] as const);
  const all = [
    ...named('file', await snapshotFolder(projectRoot)),
    ...named('data', await snapshotFolder(dataDir)),
    ...named('table', await snapshotStore(store, { withTimes })),
  ];
  return Object.fromEntries(
    all.filter(([name]) => !OF_THE_STORE.test(name) && !(isOpenWorld && OF_FETCHING.test(name))),
  );
}

/** Looked at by its tables. */
const OF_THE_STORE = /^data nexus\.sqlite/;
/** One that reaches out keeps what it fetched, and counts what it asked. */
const OF_FETCHING = /^data (?:fetching|sources)\b|^table fetching_/;

function differences(before: Snapshot, after: Snapshot): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).sort();
}

import type { RunningDownstreams, ToolboxSource } from '@nexus/downstream';
import { noDownstreams } from '@nexus/server';

type Visit = Parameters<RunningDownstreams['startSession']>[1];

/** One session, as far as it must be told of again once there is somebody to tell. */
interface Waiting {
  readonly visit: Visit;
  readonly listeners: Set<Parameters<RunningDownstreams['onNotification']>[1]>;
  level?: string;
}

/**
 * The servers behind this one, whose machinery is loaded by the first who needs one: a session that is to have
 * toolboxes open from its start, or a call that asks for them.
 */
export function lazyDownstreams(
  source: ToolboxSource,
  load: () => Promise<RunningDownstreams>,
): RunningDownstreams {
  const hasAny = source.toolboxes.length > 0;
  const opensAny = source.toolboxes.some(({ autoOpen }) => autoOpen);
  const waiting = new Map<string, Waiting>();
  let running: RunningDownstreams | undefined;
  let loading: Promise<RunningDownstreams> | undefined;

  async function begin(): Promise<RunningDownstreams> {
    const loaded = await load();
    running = loaded;
    const sessions = [...waiting];
    waiting.clear();
    // All at once: a session that asks while another is told of would not be known yet.
    for (const [id, { visit, listeners }] of sessions) {
      loaded.startSession(id, visit);
      for (const listener of listeners) loaded.onNotification(id, listener);
    }
    for (const [id, { level }] of sessions) {
      if (level !== undefined) await loaded.setLogLevel(id, level);
    }
    return loaded;
  }

  function there(): Promise<RunningDownstreams> {
    loading ??= begin();
    return loading;
  }

  /** What a session has from its start is there; whether it could be loaded is told to who asks for it. */
  async function beginning(id: string): Promise<void> {
    const loaded = await there().catch(() => undefined);
    await loaded?.ready(id);
  }

  const now = () => running ?? noDownstreams;
  return {
    ready: (id) => (running === undefined && loading !== undefined ? beginning(id) : now().ready(id)),
    resources: (id) => now().resources(id),
    resourceTemplates: (id) => now().resourceTemplates(id),
    prompts: (id) => now().prompts(id),
    readResource: (...asked) => now().readResource(...asked),
    getPrompt: (...asked) => now().getPrompt(...asked),
    complete: (...asked) => now().complete(...asked),
    subscribe: (...asked) => now().subscribe(...asked),
    unsubscribe: (...asked) => now().unsubscribe(...asked),
    async setLogLevel(id, level) {
      const session = waiting.get(id);
      if (session) session.level = level;
      else await now().setLogLevel(id, level);
    },
    onNotification(id, listener) {
      const session = waiting.get(id);
      if (!session) return now().onNotification(id, listener);
      session.listeners.add(listener);
      return () => {
        session.listeners.delete(listener);
      };
    },
    rootsChanged: (id, ask) => running?.rootsChanged(id, ask),
    list: async (id) => (hasAny || running ? (await there()).list(id) : []),
    open: async (...asked) => (await there()).open(...asked),
    close: async (...asked) => (await there()).close(...asked),
    catalogue: async (...asked) => (await there()).catalogue(...asked),
    reach: async (...asked) => (await there()).reach(...asked),
    startSession(id, visit) {
      if (running) return running.startSession(id, visit);
      waiting.set(id, { visit, listeners: new Set() });
      // One that another server served has open again what it had there.
      if (opensAny || (hasAny && visit.isResumed)) void there().catch(() => {}); // `ready` waits for it
    },
    async endSession(id) {
      waiting.delete(id);
      await running?.endSession(id);
    },
    async reconfigure(next) {
      if (running || next.toolboxes.length > 0) await (await there()).reconfigure(next);
    },
    tryServers: async (options) => (await there()).tryServers(options),
    status: () => running?.status() ?? [],
    pins: {
      held: async () => (await there()).pins.held(),
      accept: async (...which) => (await there()).pins.accept(...which),
    },
    async stop() {
      const loaded = await loading?.catch(() => undefined);
      await loaded?.stop();
    },
  };
}

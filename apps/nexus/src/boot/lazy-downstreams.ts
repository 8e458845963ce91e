import type { RunningDownstreams, ToolboxSource } from '@nexus/downstream';
import type { SessionScope } from '@nexus/plugin-sdk';
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
  const waiting = new Map<SessionScope, Waiting>();
  let running: RunningDownstreams | undefined;
  let loading: Promise<RunningDownstreams> | undefined;

  async function begin(): Promise<RunningDownstreams> {
    const loaded = await load();
    running = loaded;
    const sessions = [...waiting];
    waiting.clear();
    // All at once: a session that asks while another is told of would not be known yet.
    for (const [session, { visit, listeners }] of sessions) {
      loaded.startSession(session, visit);
      for (const listener of listeners) loaded.onNotification(session, listener);
    }
    for (const [session, { level }] of sessions) {
      if (level !== undefined) await loaded.setLogLevel(session, level);
    }
    return loaded;
  }

  function there(): Promise<RunningDownstreams> {
    loading ??= begin();
    return loading;
  }

  /** What a session has from its start is there; whether it could be loaded is told to who asks for it. */
  async function beginning(session: SessionScope): Promise<void> {
    const loaded = await there().catch(() => undefined);
    await loaded?.ready(session);
  }

  const now = () => running ?? noDownstreams;
  return {
    leftOut: (session) => now().leftOut(session),
    ready: (session) =>
      running === undefined && loading !== undefined ? beginning(session) : now().ready(session),
    resources: (session) => now().resources(session),
    resourceTemplates: (session) => now().resourceTemplates(session),
    prompts: (session) => now().prompts(session),
    readResource: (...asked) => now().readResource(...asked),
    getPrompt: (...asked) => now().getPrompt(...asked),
    complete: (...asked) => now().complete(...asked),
    subscribe: (...asked) => now().subscribe(...asked),
    unsubscribe: (...asked) => now().unsubscribe(...asked),
    async setLogLevel(session, level) {
      const early = waiting.get(session);
      if (early) early.level = level;
      else await now().setLogLevel(session, level);
    },
    onNotification(session, listener) {
      const early = waiting.get(session);
      if (!early) return now().onNotification(session, listener);
      early.listeners.add(listener);
      return () => {
        early.listeners.delete(listener);
      };
    },
    rootsChanged: (session, ask) => running?.rootsChanged(session, ask),
    names: async () => (hasAny || running ? (await there()).names() : []),
    list: async (...asked) => (hasAny || running ? (await there()).list(...asked) : []),
    open: async (...asked) => (await there()).open(...asked),
    close: async (...asked) => (await there()).close(...asked),
    catalogue: async (...asked) => (await there()).catalogue(...asked),
    shapes: async (...asked) => (await there()).shapes(...asked),
    reach: async (...asked) => (await there()).reach(...asked),
    whyNot: async (...asked) => (hasAny || running ? (await there()).whyNot(...asked) : undefined),
    check: async (...asked) => (hasAny || running ? (await there()).check(...asked) : []),
    heldBack: (session) => running?.heldBack(session) ?? new Map(),
    startSession(session, visit) {
      if (running) return running.startSession(session, visit);
      waiting.set(session, { visit, listeners: new Set() });
      session.onEnd(() => void waiting.delete(session));
      // One that another server served has open again what it had there.
      if (opensAny || (hasAny && visit.isResumed)) void there().catch(() => {}); // `ready` waits for it
    },
    async reconfigure(next) {
      if (running || next.toolboxes.length > 0) await (await there()).reconfigure(next);
    },
    tryServers: async (options) => (await there()).tryServers(options),
    status: () => running?.status() ?? [],
    pins: {
      pending: async () => (await there()).pins.pending(),
      accept: async (...which) => (await there()).pins.accept(...which),
    },
    async stop() {
      const loaded = await loading?.catch(() => undefined);
      await loaded?.stop();
    },
  };
}

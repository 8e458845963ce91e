import { basename, join } from 'node:path';
import {
  type Caller,
  createSessionScope,
  type Dispatcher,
  inScope,
  KEY_META,
  nothingOf,
  type OwnedScope,
  type Registry,
  toolsInSight,
} from '@nexus/core';
import { type EngineOptions, rootsOf } from '@nexus/engine';
import type { Log, Root, SessionScope, Toolboxes } from '@nexus/plugin-sdk';
import { version } from '../version.ts';
import type { ClientScopes } from './client-scopes.ts';

interface RunCallsParts {
  readonly registry: Registry;
  readonly log: Log;
  readonly root: Root;
  readonly scopes: Pick<ClientScopes, 'find'>;
  readonly calls: Pick<Dispatcher, 'call' | 'callAgain'>;
  readonly toolboxes: Pick<Toolboxes, 'names' | 'reach'>;
}

/**
 * How runs and jobs call tools: as whoever they are for would, and with the tools of that session while it is
 * connected here. What a run opens is its family's, and gone when nothing of that is in this process any more.
 */
export function runCalls({
  registry,
  log,
  root,
  scopes,
  calls,
  toolboxes,
}: RunCallsParts): Pick<EngineOptions, 'tools' | 'rerun' | 'onFamilyGone'> {
  const client = { name: 'nexus', version };
  const families = new Map<string, OwnedScope>();
  const reach = async (origin: string, session: SessionScope, signal: AbortSignal) => {
    const caller = { session, signal, deadline: Number.POSITIVE_INFINITY, progress() {}, log };
    for (const { name: toolbox, servers } of await toolboxes.names()) {
      for (const server of servers) {
        const before = `${toolbox}__${server}__`;
        if (!origin.startsWith(before)) continue;
        return toolboxes.reach({ toolbox, server, tool: origin.slice(before.length) }, caller);
      }
    }
    return undefined;
  };
  const rootsIn = (narrowed: readonly string[] | undefined): Pick<Caller, 'roots' | 'narrowed'> => {
    if (!narrowed) return { roots: async () => [root] };
    const folders = narrowed.map((path) => ({ path: join(root.path, path), name: basename(path) }));
    const roots = async () => {
      if (folders.length === 0) throw nothingOf(root);
      return folders;
    };
    return { roots, narrowed: async () => narrowed };
  };
  const lookUp = (id: string) => ({ id, outer: () => scopes.find(id) });
  return {
    tools(run, { step, signal, trace, known, sayYes }) {
      const session = families.get(run.root_id) ?? createSessionScope(lookUp(run.session_id ?? run.id));
      families.set(run.root_id, session);
      const asked = run.id === run.root_id ? run.input : null;
      const caller = { session, user: run.user_id ?? undefined, client, log, ...rootsIn(rootsOf(run)) };
      return {
        ...toolsInSight(registry, session),
        async reach(origin) {
          await reach(origin, session, signal);
        },
        call: (name, params) =>
          calls.call(caller, {
            params: { ...params, name },
            signal,
            run: { id: run.id, step },
            trace,
            known,
            sayYes,
            asked: asked ?? undefined,
          }),
      };
    },
    onFamilyGone(rootId) {
      const session = families.get(rootId);
      families.delete(rootId);
      session?.end().catch((error: unknown) => log.error('a run left something behind', { err: error }));
    },
    rerun(
      { tool, origin, arguments: args, sessionId, user, roots, parent },
      { signal, progress, trace, known, idempotencyKey },
    ) {
      return inScope(lookUp(sessionId), async (session) => {
        // Its toolbox may be open nowhere by now, or call it by another name.
        const name = (origin && (await reach(origin, session, signal))) ?? tool;
        const params = { name, arguments: args, _meta: { [KEY_META]: idempotencyKey } };
        return calls.callAgain(
          { session, user, client, log, ...rootsIn(roots) },
          { params, signal, progress, trace, run: parent, known: parent && known },
        );
      });
    },
  };
}

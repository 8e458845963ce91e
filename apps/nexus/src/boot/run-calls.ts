import { type Dispatcher, KEY_META, type Registry, toolsInSight } from '@nexus/core';
import type { EngineOptions } from '@nexus/engine';
import type { Log, Root } from '@nexus/plugin-sdk';
import { version } from '../version.ts';

interface RunCallsParts {
  readonly registry: Registry;
  readonly log: Log;
  readonly root: Root;
  readonly call: Dispatcher['call'];
}

/** How runs and jobs call tools once nobody's connection is behind them: as whoever they are for would. */
export function runCalls({
  registry,
  log,
  root,
  call,
}: RunCallsParts): Pick<EngineOptions, 'tools' | 'rerun'> {
  const client = { name: 'nexus', version };
  const roots = async () => [root];
  return {
    tools(run, { step, signal }) {
      const sessionId = run.session_id ?? run.id;
      const caller = { sessionId, user: run.user_id ?? undefined, client, log, roots };
      return {
        ...toolsInSight(registry, sessionId),
        call: (name, params) =>
          call(caller, { params: { ...params, name }, signal, run: { id: run.id, step } }),
      };
    },
    rerun({ tool, arguments: args, sessionId, user, parent }, { signal, progress, idempotencyKey }) {
      const params = { name: tool, arguments: args, _meta: { [KEY_META]: idempotencyKey } };
      return call({ sessionId, user, client, log, roots }, { params, signal, progress, run: parent });
    },
  };
}

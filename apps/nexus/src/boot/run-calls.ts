import { type Dispatcher, KEY_META, type Registry, toolsInSight } from '@nexus/core';
import type { EngineOptions } from '@nexus/engine';
import type { Log, Root } from '@nexus/plugin-sdk';
import { version } from '../version.ts';

interface RunCallsParts {
  readonly registry: Registry;
  readonly log: Log;
  readonly root: Root;
  readonly calls: Pick<Dispatcher, 'call' | 'callAgain'>;
}

/** How runs and jobs call tools once nobody's connection is behind them: as whoever they are for would. */
export function runCalls({
  registry,
  log,
  root,
  calls,
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
          calls.call(caller, { params: { ...params, name }, signal, run: { id: run.id, step } }),
      };
    },
    rerun({ tool, arguments: args, sessionId, user, parent }, { signal, progress, idempotencyKey }) {
      const params = { name: tool, arguments: args, _meta: { [KEY_META]: idempotencyKey } };
      const caller = { sessionId, user, client, log, roots };
      return calls.callAgain(caller, { params, signal, progress, run: parent });
    },
  };
}

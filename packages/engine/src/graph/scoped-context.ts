import type { RunContext } from '@nexus/plugin-sdk';

/** A run's context whose names lie under those of a visit. */
export function scoped(context: RunContext, scope: string): RunContext {
  const counts = new Map<string, number>();
  const under = (name: string) => `${scope}/${name}`;
  const numbered = (name: string | undefined, kind: string) => {
    if (name !== undefined) return under(name);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return under(`${kind}-${count}`);
  };
  return {
    ...context,
    step: (name, ...rest) => context.step(under(name), ...rest),
    child: (name, ...rest) => context.child(under(name), ...rest),
    sleep: (name, ms) => context.sleep(under(name), ms),
    ask: (name, question) => context.ask(under(name), question),
    now: (name) => context.now(numbered(name, 'now')),
    random: (name) => context.random(numbered(name, 'random')),
    uuid: (name) => context.uuid(numbered(name, 'uuid')),
    event: (name, data) => context.event(under(name), data),
  };
}

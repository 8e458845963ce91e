import { type ModelCaller, type ModelEntry, nearestNames, type Routing, ToolError } from '@nexus/plugin-sdk';
import type { ModelSource } from './source.ts';

export interface Choice {
  readonly source: ModelSource;
  readonly entry: ModelEntry;
}

/** The models that this caller can have, in the config's order. */
export function available(sources: readonly ModelSource[], caller: Partial<ModelCaller>): Choice[] {
  return sources
    .filter((source) => source.find(caller).isFound)
    .flatMap((source) => source.models.map((entry) => ({ source, entry })));
}

/**
 * The model of a name: `provider:name`, where the name need not be a listed one, or a provider for its first.
 * @throws {ToolError} NEXUS_NO_MODEL
 */
export function chooseNamed(
  wanted: string,
  sources: readonly ModelSource[],
  {
    caller,
    describe,
  }: { caller: Partial<ModelCaller>; describe: (source: ModelSource, name: string) => ModelEntry },
): Choice {
  const [provider = '', ...rest] = wanted.split(':');
  const name = rest.join(':');
  const source = sources.find((each) => each.name === provider);
  if (!source) throw noSuchModel(wanted, sources, caller);
  const { isFound, reason } = source.find(caller);
  if (!isFound) throw new ToolError('NEXUS_NO_MODEL', `${wanted} can't be used: ${provider} ${reason}.`);
  const entry = name === '' ? source.models[0] : source.models.find((each) => each.name === name);
  return { source, entry: entry ?? describe(source, name) };
}

/** @throws {ToolError} NEXUS_NO_MODEL */
export function firstFound(sources: readonly ModelSource[], caller: Partial<ModelCaller>): Choice {
  const [first] = available(sources, caller);
  if (!first) throw noModel(sources, caller);
  return first;
}

/** With the ways to get one, and why each source is none. */
export function noModel(
  sources: readonly ModelSource[],
  caller: Partial<ModelCaller>,
  excluded: Routing['excluded'] = [],
): ToolError {
  if (excluded.length > 0) {
    const why = excluded.map(({ model, reason }) => `- ${model}: ${reason}`);
    return new ToolError('NEXUS_NO_MODEL', `No model fits what is asked for:\n${why.join('\n')}`);
  }
  const reasons = sources.map((source) => `- ${source.name}: ${source.find(caller).reason}`);
  return new ToolError(
    'NEXUS_NO_MODEL',
    `No language model is there. Any of these helps: set a key (ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY; models.providers in the config for others, such as a local server); install and log in one of the command lines claude, codex, gemini, opencode; or use a host that offers sampling. Looked for:\n${reasons.join('\n')}`,
    { detail: { lookedFor: sources.map(({ name }) => name) } },
  );
}

function noSuchModel(
  wanted: string,
  sources: readonly ModelSource[],
  caller: Partial<ModelCaller>,
): ToolError {
  const there = available(sources, caller);
  if (there.length === 0) return noModel(sources, caller);
  const names = [...new Set(there.flatMap(({ source, entry }) => [entry.id, source.name]))];
  const nearest = nearestNames(wanted, names);
  const hint =
    nearest.length > 0
      ? ` Did you mean ${nearest.join(', ')}?`
      : ` There is ${names.slice(0, 8).join(', ')}.`;
  return new ToolError(
    'NEXUS_NO_MODEL',
    `There is no model ${JSON.stringify(wanted)}; write provider:name.${hint}`,
  );
}

import { type LookedUp, type ModelCaller, nearestNames, ToolError } from '@nexus/plugin-sdk';
import { describeModel } from './catalogue/describe-model.ts';
import { ModelFailure } from './failure.ts';
import type { ModelOverride } from './settings.ts';
import type { ModelSource, OfferedModel } from './source.ts';

interface LookUp {
  readonly sources: readonly ModelSource[];
  readonly overrides: Readonly<Record<string, ModelOverride>>;
  readonly caller: ModelCaller;
}

/** Holds a model against its provider's own list. */
export async function lookUp(
  { provider, name }: { readonly provider: string; readonly name: string },
  { sources, overrides, caller }: LookUp,
): Promise<LookedUp> {
  const source = sources.find((each) => each.name === provider);
  if (!source) {
    const names = sources.map((each) => each.name).join(', ');
    throw new ToolError('NEXUS_NO_MODEL', `There is no provider "${provider}". There is ${names}.`);
  }
  const { isFound, reason } = source.find(caller);
  if (!isFound) throw new ToolError('NEXUS_NO_MODEL', `${provider} can't be asked: it ${reason}.`);
  const offered = await offeredBy(source, caller.signal);
  const own = offered.find((each) => each.name === name);
  const tools = source.models[0]?.tools ?? 'native';
  const known = describeModel({ provider, name, tools }, overrides);
  return {
    isOffered: own !== undefined,
    // What the config says stands over what the provider says, and that over the table.
    entry: { ...known, ...sizesOf(own), ...sizesOf(overrides[known.id]) },
    nearest: own
      ? []
      : nearestNames(
          name,
          offered.map((each) => each.name),
        ),
    offered: offered.length,
  };
}

async function offeredBy(
  { name, listOffered }: ModelSource,
  signal: AbortSignal,
): Promise<readonly OfferedModel[]> {
  if (!listOffered) {
    const text = `${name} has no list of models that can be asked for; only providers with an API have one.`;
    throw new ToolError('NEXUS_MODEL_UNAVAILABLE', text);
  }
  try {
    return await listOffered(signal);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    const text = `${name} could not be asked for its models: ${error.message}. \`nexus models\` shows its address and key.`;
    throw new ToolError('NEXUS_MODEL_UNAVAILABLE', text, { cause: error });
  }
}

function sizesOf({
  contextWindow,
  maxOutputTokens,
}: Omit<Partial<OfferedModel>, 'name'> | ModelOverride = {}) {
  return {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
}

import type { ChatSession } from '@nexus/chat';
import { endsWithin } from '@nexus/core';
import { isToolError, type Models, nearestNames } from '@nexus/plugin-sdk';

interface Talk {
  readonly models: Pick<Models, 'list' | 'lookUp'>;
  readonly session: Pick<ChatSession, 'model'>;
}

/** How long a provider may take to say whether it has a model. */
const LOOK_UP_MS = 10_000;

/** The model of a conversation, and those that could be it. */
export async function modelsThere({ models, session }: Talk): Promise<string[]> {
  const known = await knownIds(models);
  return [`model: ${session.model ?? known[0] ?? 'none'}`, ...known.map((id) => `  ${id}`)];
}

/**
 * Makes another model that of a conversation, where it is there: else the one that there was stays, since the next turn
 * would fail.
 * @returns what came of it, for a person
 */
export async function chooseModel(
  wanted: string,
  { models, session, signal }: Talk & { readonly signal: AbortSignal },
): Promise<string[]> {
  const { fault, doubt } = await lookedUp(wanted, models, signal);
  if (fault !== undefined) return [`${fault} The model stays ${session.model ?? 'as it was'}.`];
  session.model = wanted;
  return [`model: ${wanted}${doubt === undefined ? '' : `; whether it is there is not known: ${doubt}`}`];
}

interface Found {
  /** Why it can't be chosen. */
  readonly fault?: string;
  /** Why nobody can say whether it is there. */
  readonly doubt?: string;
}

async function lookedUp(wanted: string, models: Talk['models'], signal: AbortSignal): Promise<Found> {
  if (wanted === 'auto') return {};
  const [provider = '', ...rest] = wanted.split(':');
  const name = rest.join(':');
  const providers = await models.list();
  const source = providers.find((each) => each.name === provider);
  if (!source) {
    const names = providers.filter(({ isFound }) => isFound).map((each) => each.name);
    return {
      fault: `There is no model ${wanted}. ${meant(wanted, [...(await knownIds(models)), ...names])}`,
    };
  }
  if (!source.isFound) return { fault: `${wanted} can't be used: ${provider} ${source.reason}.` };
  if (name === '' || source.models.some((each) => each.name === name)) return {};
  try {
    const within = endsWithin(LOOK_UP_MS, signal);
    const { isOffered, nearest } = await models.lookUp({ provider, name }, { signal: within });
    if (isOffered) return {};
    const near = nearest.map((each) => `${provider}:${each}`);
    return { fault: `${provider} has no model ${name}. ${meant(wanted, near)}` };
  } catch (error) {
    if (!isToolError(error)) throw error;
    return { doubt: error.message };
  }
}

function meant(wanted: string, names: readonly string[]): string {
  const nearest = nearestNames(wanted, names);
  return nearest.length > 0 ? `Did you mean ${nearest.join(' or ')}?` : '/model shows those that are known.';
}

async function knownIds(models: Talk['models']): Promise<string[]> {
  return (await models.list())
    .filter(({ isFound }) => isFound)
    .flatMap((provider) => provider.models)
    .map(({ id }) => id);
}

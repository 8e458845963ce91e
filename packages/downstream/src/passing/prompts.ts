import type { PassedRequest } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { Log } from '@nexus/plugin-sdk';
import { withOwnAddresses } from '../addresses/own-addresses.ts';
import { passedMeta } from '../calls/call-meta.ts';
import { asTheirs } from '../definitions/as-theirs.ts';
import { promptAsHostsTake } from '../definitions/offers-as-hosts-take.ts';
import { readPrompts } from '../definitions/read-definitions.ts';
import { registeredNames } from '../definitions/registered-names.ts';
import { renamed } from '../definitions/renamed.ts';
import type { Lease } from '../leases/lease.ts';
import { type OpenToolbox, openOf } from '../sessions/holding.ts';
import type { Session } from '../sessions/session.ts';
import { connectedLeases, offers } from '../sessions/session-leases.ts';
import { passRequest } from './pass-request.ts';

/** A prompt of one server, and the name the session knows it by. */
export interface RoutedPrompt {
  readonly at: Lease;
  readonly originalName: string;
  readonly listing: Members & { readonly name: string };
}

/** Every prompt of the session's open toolboxes by the name it has there, in the order of names. */
export async function sessionPrompts(
  session: Session,
  how: { readonly isFresh: boolean; readonly log: Log },
): Promise<ReadonlyMap<string, RoutedPrompt>> {
  await connectedLeases(session);
  const found = new Map<string, RoutedPrompt>();
  const toolboxes = [...session.holdings.values()].flatMap((holding) => openOf(holding) ?? []);
  toolboxes.sort((a, b) => (a.offer.toolbox < b.offer.toolbox ? -1 : 1));
  for (const open of toolboxes) {
    for (const prompt of await toolboxPrompts(open, how)) {
      const { name } = prompt.listing;
      if (!found.has(name)) found.set(name, prompt);
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function toolboxPrompts(
  { offer, leases }: OpenToolbox,
  { isFresh, log }: { readonly isFresh: boolean; readonly log: Log },
): Promise<RoutedPrompt[]> {
  const { toolbox, settings } = offer;
  const leftOut = (server: string, fields: Members) =>
    log.warn('prompts of a server were left out', { toolbox, server, ...fields });
  const lists = leases.map(async (at) => {
    const { server } = at.address;
    if (!offers(at, 'prompts')) return [];
    const listed = await at.list('prompts', { isFresh }).catch((error: unknown) => {
      leftOut(server, { err: error });
      return [];
    });
    const { definitions, faults } = readPrompts(listed);
    for (const fault of faults) leftOut(server, { ...fault });
    return definitions.map((definition) => ({
      server,
      name: definition.name,
      definition,
      at,
    }));
  });
  const origins = (await Promise.all(lists)).flat();
  const { names, clashes } = registeredNames({ name: toolbox, prefix: settings.prefix }, origins);
  for (const { origin, holder } of clashes) {
    const { server, name: prompt } = origin;
    const listedAs = names.get(origin)?.registered;
    log.warn('a prompt has a prefix, since another server has one of its name', {
      toolbox,
      server,
      prompt,
      listedAs,
      sameAsOf: holder,
    });
  }
  return origins.flatMap((origin) => {
    const name = names.get(origin);
    if (!name) return [];
    const { definition, at, server } = origin;
    const shown = asTheirs(promptAsHostsTake(definition), `${toolbox}/${server}`);
    const listing = renamed(shown, name.registered, name.full);
    return [{ at, originalName: definition.name, listing }];
  });
}

export async function getPrompt(
  session: Session,
  prompt: { readonly name: string; readonly arguments?: Members | undefined },
  { request, log }: { readonly request: PassedRequest; readonly log: Log },
): Promise<Members | undefined> {
  const found = (await sessionPrompts(session, { isFresh: false, log })).get(prompt.name);
  if (!found) return undefined;
  const params = {
    name: found.originalName,
    ...(prompt.arguments === undefined ? {} : { arguments: prompt.arguments }),
    _meta: passedMeta(request.meta ?? {}),
  };
  const result = await passRequest(found.at, { method: 'prompts/get', params, request });
  return withOwnAddresses(result, found.at.address);
}

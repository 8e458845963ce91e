import type { PassedRequest } from '@nexus/core';
import { passedMeta } from '../calls/call-meta.ts';
import { readPrompts } from '../definitions/read-definitions.ts';
import { registeredNames } from '../definitions/registered-names.ts';
import { renamed } from '../offers/offer-tools.ts';
import type { Session } from '../sessions/session.ts';
import type { Workplace } from '../workplace.ts';
import { passRequest } from './pass-request.ts';
import { offers, type SessionLink } from './session-links.ts';

type Members = Readonly<Record<string, unknown>>;

/** A prompt of one server, and the name the session knows it by. */
export interface RoutedPrompt {
  readonly at: SessionLink;
  readonly originalName: string;
  readonly listing: Members & { readonly name: string };
}

/** Every prompt of the session's open toolboxes by the name it has there, in the order of names. */
export async function sessionPrompts(
  { log }: Workplace,
  session: Session,
  how: { readonly isFresh: boolean },
): Promise<ReadonlyMap<string, RoutedPrompt>> {
  const found = new Map<string, RoutedPrompt>();
  const toolboxes = [...session.open].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [toolbox, { offer, leases }] of toolboxes) {
    const lists = await Promise.all(
      offer.servers.map(async (server, index) => {
        const link = leases[index]?.link;
        if (!link || !offers(link.connection, 'prompts')) return [];
        try {
          const { definitions, faults } = readPrompts(await link.list('prompts', how));
          for (const fault of faults)
            log.warn('a prompt was left out', { toolbox, server: server.server, ...fault });
          return definitions.map((definition) => ({
            server: server.server,
            name: definition.name,
            definition,
            at: { server, link },
          }));
        } catch (error) {
          log.warn('the prompts of a server could not be listed', {
            toolbox,
            server: server.server,
            err: error,
          });
          return [];
        }
      }),
    );
    const origins = lists.flat();
    const { names, clashes } = registeredNames({ name: toolbox, prefix: offer.settings.prefix }, origins);
    for (const { server, name, holder } of clashes) {
      log.warn('a prompt was left out: another server has one of its name', {
        toolbox,
        server,
        name,
        holder,
      });
    }
    for (const origin of origins) {
      const name = names.get(origin);
      if (!name || found.has(name.registered)) continue;
      const { definition, at } = origin;
      const listing = renamed(definition, name.registered, name.full);
      found.set(name.registered, { at, originalName: definition.name, listing });
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export async function getPrompt(
  place: Workplace,
  session: Session,
  { prompt, request }: { prompt: { name: string; arguments?: Members | undefined }; request: PassedRequest },
): Promise<Members | undefined> {
  const found = (await sessionPrompts(place, session, { isFresh: false })).get(prompt.name);
  if (!found) return undefined;
  const params = {
    name: found.originalName,
    ...(prompt.arguments === undefined ? {} : { arguments: prompt.arguments }),
    _meta: passedMeta(request.meta ?? {}),
  };
  return passRequest(session, found.at, { method: 'prompts/get', params, request });
}

import type { RegisteredTool } from '@nexus/core';
import type { ArgumentFault } from '@nexus/plugin-sdk';
import { missingTool } from '../catalogue/find-offered.ts';
import type { KnownLists } from '../catalogue/known-lists.ts';
import type { Offers } from '../catalogue/offers.ts';
import type { Session } from '../sessions/session.ts';

interface Sources {
  readonly offers: Offers;
  readonly lists: Pick<KnownLists, 'get' | 'load'>;
}

type KnownOf = { readonly tool: RegisteredTool } | { readonly missing: string };

/** What is known of a tool of that origin without a connection to its server; nothing where that was never listed. */
async function knownOf(
  { offers, lists }: Sources,
  session: Session,
  origin: string,
): Promise<KnownOf | undefined> {
  const places = offers.outlines().flatMap(({ name: toolbox, servers }) => {
    const its = servers.filter((server) => origin.startsWith(`${toolbox}__${server}__`));
    return its.map((server) => ({ toolbox, server, tool: origin.slice(`${toolbox}__${server}__`.length) }));
  });
  let known: KnownOf | undefined;
  for (const address of places) {
    const [offer] = await offers.prepare(session.environment, [address.toolbox]);
    const server = offer?.servers.find((each) => each.server === address.server);
    if (!offer || !server) return undefined;
    if (!lists.get(server)) await lists.load([server]);
    if (!lists.get(server)) return undefined;
    const found = offer.tools().tools.find(({ named }) => named.origin === origin);
    if (found) return { tool: found.registered };
    known = { missing: missingTool(offer, address).message };
  }
  return known;
}

/** Why a tool of that origin can't be called, as far as the lists that are known say it. */
export async function whyNot(
  sources: Sources,
  session: Session,
  origin: string,
): Promise<string | undefined> {
  const known = await knownOf(sources, session, origin);
  return known && 'missing' in known ? known.missing : undefined;
}

/** What its call would be refused for, as far as the lists that are known say it. */
export async function checkCall(
  sources: Sources,
  session: Session,
  {
    origin,
    arguments: given,
  }: { readonly origin: string; readonly arguments: Readonly<Record<string, unknown>> },
): Promise<readonly ArgumentFault[]> {
  const known = await knownOf(sources, session, origin);
  if (!known || !('tool' in known)) return [];
  const { checkArguments } = await import('@nexus/core/check-arguments');
  return checkArguments(known.tool, given);
}

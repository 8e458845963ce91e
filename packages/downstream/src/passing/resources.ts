import { isRecord, type PassedRequest } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { Log } from '@nexus/plugin-sdk';
import { looksLikeOwnUri } from '@nexus/primitives';
import { loadPatterns, PatternFault } from '@nexus/untrusted/patterns';
import { isAnothers, unwrapUri, wrapTemplate, wrapUri } from '../addresses/wrapped-uri.ts';
import { passedMeta } from '../calls/call-meta.ts';
import { resourceAsTheirs } from '../definitions/as-theirs.ts';
import { resourceAsHostsTake, templateAsHostsTake } from '../definitions/offers-as-hosts-take.ts';
import type { ListName } from '../leases/kept-lists.ts';
import type { Lease } from '../leases/lease.ts';
import type { Session } from '../sessions/session.ts';
import { connectedLeases, offers } from '../sessions/session-leases.ts';
import { passRequest } from './pass-request.ts';

/** A resource of one server, by the URI that its server knows. */
export interface RoutedUri {
  readonly at: Lease;
  readonly uri: string;
}

/** All resources of the session; a URI that a server before has too, or that says it is another's, is wrapped. */
export async function listResources(session: Session, log: Log): Promise<readonly Members[]> {
  const seen = new Set<unknown>();
  const lists = await listOfEach(session, { what: 'resources', asTaken: resourceAsHostsTake, log });
  return lists.flatMap(({ at, items }) =>
    items.map((item) => {
      const { uri } = item;
      if (typeof uri !== 'string') return item;
      if (isAnothers(uri) || seen.has(uri)) return { ...item, uri: wrapUri(at.address, uri) };
      seen.add(uri);
      return item;
    }),
  );
}

/** All templates of the session; of equal ones, the first server's. */
export async function listTemplates(session: Session, log: Log): Promise<readonly Members[]> {
  const lists = await listOfEach(session, { what: 'resourceTemplates', asTaken: templateAsHostsTake, log });
  const byTemplate = new Map<unknown, Members>();
  for (const { at, items } of lists) {
    for (const item of items) {
      const uriTemplate = templateOf(at, item);
      if (!byTemplate.has(uriTemplate)) byTemplate.set(uriTemplate, { ...item, uriTemplate });
    }
  }
  return [...byTemplate.values()];
}

/** As it is listed: by its server, where it would be taken for what Nexus or another server has. */
export function templateOf({ address }: Lease, { uriTemplate }: Members): unknown {
  const isOwn = typeof uriTemplate !== 'string' || !isAnothers(uriTemplate);
  return isOwn ? uriTemplate : wrapTemplate(address, uriTemplate);
}

interface Listing {
  readonly what: ListName;
  /** An item as it is listed to hosts; undefined for none. */
  readonly asTaken: (item: Members) => Members | undefined;
  readonly log: Log;
}

/** What each server of the session lists now; one that fails is left out, and told of. */
async function listOfEach(
  session: Session,
  { what, asTaken, log }: Listing,
): Promise<{ readonly at: Lease; readonly items: readonly Members[] }[]> {
  return Promise.all(
    (await connectedLeases(session)).map(async (at) => {
      try {
        const listed = await at.list(what, { isFresh: true });
        const { toolbox, server } = at.address;
        const taken = listed.map(asTaken).filter((item) => item !== undefined);
        const leftOut = listed.length - taken.length;
        const items = taken.map((item) => resourceAsTheirs(item, `${toolbox}/${server}`));
        if (leftOut > 0) log.warn(`${what} without an address were left out`, { toolbox, server, leftOut });
        return { at, items };
      } catch (error) {
        const { toolbox, server } = at.address;
        log.warn(`the ${what} of a server could not be listed`, { toolbox, server, err: error });
        return { at, items: [] };
      }
    }),
  );
}

/**
 * The server that the URI names, whose list has it or whose template fits it; else all that have resources, in order.
 * One of Nexus's own is none of theirs, whatever they list.
 */
export async function routesOf(session: Session, uri: string): Promise<readonly RoutedUri[]> {
  const leases = (await connectedLeases(session)).filter((at) => offers(at, 'resources'));
  const wrapped = unwrapUri(uri);
  if (wrapped) {
    const { toolbox, server } = wrapped;
    const of = leases.find((at) => at.address.toolbox === toolbox && at.address.server === server);
    return of ? [{ at: of, uri: wrapped.uri }] : [];
  }
  if (looksLikeOwnUri(uri)) return [];
  for (const at of leases) {
    const listed = await known(at, 'resources');
    if (listed.some((item) => item.uri === uri)) return [{ at, uri }];
  }
  for (const at of leases) {
    const templates = await known(at, 'resourceTemplates');
    if (templates.length > 0 && (await mayBeOf(templates, uri))) return [{ at, uri }];
  }
  return leases.map((at) => ({ at, uri }));
}

/** One that no matching in linear time is possible for is nobody's by it. */
async function mayBeOf(templates: readonly Members[], uri: string): Promise<boolean> {
  const { uriTemplate: compile } = await loadPatterns();
  return templates.some(({ uriTemplate }) => {
    try {
      return typeof uriTemplate === 'string' && compile(uriTemplate).test(uri);
    } catch (error) {
      if (error instanceof PatternFault) return false;
      throw error;
    }
  });
}

async function known(at: Lease, what: ListName): Promise<readonly Members[]> {
  return at.list(what).catch(() => []);
}

/**
 * Reads a resource at its server; of one that may be any server's, each is asked until one has it.
 * @throws {ProtocolError} as the server answered, the last one where several were asked
 */
export async function readResource(
  session: Session,
  uri: string,
  request: PassedRequest,
): Promise<Members | undefined> {
  const routes = await routesOf(session, uri);
  let refusal: unknown;
  for (const { at, uri: own } of routes) {
    try {
      const params = { uri: own, _meta: passedMeta(request.meta ?? {}) };
      const result = await passRequest(at, { method: 'resources/read', params, request });
      return { ...result, contents: renamedContents(result.contents, { at, own, asked: uri }) };
    } catch (error) {
      if (request.signal.aborted) throw error;
      refusal = error;
    }
  }
  if (refusal) throw refusal;
  return undefined;
}

/** A client knows a resource by the URI it asked for, and none by one that is another's. */
function renamedContents(
  contents: unknown,
  { at, own, asked }: { readonly at: Lease; readonly own: string; readonly asked: string },
): unknown {
  if (!Array.isArray(contents)) return contents;
  return contents.map((each: unknown) => {
    if (!isRecord(each) || typeof each.uri !== 'string') return each;
    if (each.uri === own) return { ...each, uri: asked };
    return isAnothers(each.uri) ? { ...each, uri: wrapUri(at.address, each.uri) } : each;
  });
}

import { listBehind } from './behind/list-behind.ts';
import type { CatalogueSession } from './catalogue-session.ts';
import type { Handler } from './handler.ts';
import { KEPT_RESULTS_TEMPLATE } from './results/kept-results.ts';

/** `resources/…`, by method; params are checked. */
export function serveResources(session: CatalogueSession) {
  const { sessionId, user, downstreams, results, subscribed, log } = session;
  const { resources } = session.catalogue;

  const behind = () =>
    listBehind(() => downstreams.resources(sessionId), { key: 'uri', isOwn: resources.has, log });
  const templatesBehind = () =>
    listBehind(() => downstreams.resourceTemplates(sessionId), {
      key: 'uriTemplate',
      isOwn: resources.hasTemplate,
      log,
    });
  const notFound = async (uri: string) =>
    resources.notFound(
      uri,
      (await behind()).map((each) => String(each.uri)),
    );

  return {
    'resources/list': async () => ({ resources: [...resources.list(), ...(await behind())] }),
    'resources/templates/list': async () => ({
      resourceTemplates: [
        ...resources.listTemplates(),
        ...(results ? [KEPT_RESULTS_TEMPLATE] : []),
        ...(await templatesBehind()),
      ],
    }),
    'resources/read': async (params, extra) => {
      const uri = params.uri as string;
      if (resources.has(uri)) return { contents: [await resources.read(uri, user)] };
      const kept = results?.read(sessionId, uri);
      if (kept) return { contents: [kept] };
      const result = await downstreams.readResource(sessionId, uri, session.passed(params, extra));
      if (!result) throw await notFound(uri);
      return result;
    },
    'resources/subscribe': async (params) => {
      const uri = params.uri as string;
      // Before it is known whether anyone has it: the first update may come before the answer.
      subscribed.add(uri);
      let isTaken = resources.has(uri);
      try {
        isTaken ||= await downstreams.subscribe(sessionId, uri);
      } finally {
        if (!isTaken) subscribed.delete(uri);
      }
      if (!isTaken) throw await notFound(uri);
      return {};
    },
    'resources/unsubscribe': async (params) => {
      const uri = params.uri as string;
      if (subscribed.delete(uri) && !resources.has(uri)) await downstreams.unsubscribe(sessionId, uri);
      return {};
    },
  } satisfies Readonly<Record<string, Handler>>;
}

import { attributionTo } from '@nexus/primitives';
import { listBehind } from './behind/list-behind.ts';
import type { CatalogueSession } from './catalogue-session.ts';
import type { Handler } from './handler.ts';
import { KEPT_RESULTS_TEMPLATE, type KeptText } from './results/kept-results.ts';

/** `resources/…`, by method; params are checked. */
export function serveResources(session: CatalogueSession) {
  const { scope, user, roots, downstreams, results, subscribed, log } = session;
  const { resources } = session.catalogue;

  const behind = () =>
    listBehind(() => downstreams.resources(scope), { key: 'uri', isOwn: resources.has, log });
  const templatesBehind = () =>
    listBehind(() => downstreams.resourceTemplates(scope), {
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
      if (resources.has(uri)) return { contents: [await resources.read(uri, { user, roots })] };
      const kept = await results?.find({ session: scope, user }, uri);
      if (kept) return { contents: keptContents(kept) };
      const result = await downstreams.readResource(scope, uri, session.passed(params, extra));
      if (!result) throw await notFound(uri);
      return result;
    },
    'resources/subscribe': async (params) => {
      const uri = params.uri as string;
      if (resources.has(uri)) {
        // Whoever may not read it is told what a read would tell, and hears of no change, not even meanwhile.
        await resources.read(uri, { user, roots });
        subscribed.add(uri);
        return {};
      }
      // Before it is known whether anyone has it: the first update may come before the answer.
      const hadIt = subscribed.has(uri);
      subscribed.add(uri);
      let isTaken = false;
      try {
        isTaken = await downstreams.subscribe(scope, uri);
      } finally {
        // What it had it keeps: this was one more try, and the first one stands.
        if (!isTaken && !hadIt) subscribed.delete(uri);
      }
      if (!isTaken) throw await notFound(uri);
      return {};
    },
    'resources/unsubscribe': async (params) => {
      const uri = params.uri as string;
      if (subscribed.delete(uri) && !resources.has(uri)) await downstreams.unsubscribe(scope, uri);
      return {};
    },
  } satisfies Readonly<Record<string, Handler>>;
}

/** As another server's own resource is read: where it sounds like Nexus, after whose it is. */
function keptContents({ whose, ...kept }: KeptText) {
  const { uri } = kept;
  return whose === undefined ? [kept] : [{ uri, mimeType: 'text/plain', text: attributionTo(whose) }, kept];
}

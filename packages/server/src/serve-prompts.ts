import { listBehind } from './behind/list-behind.ts';
import type { CatalogueSession } from './catalogue-session.ts';
import type { Handler } from './handler.ts';

/** `prompts/…`, by method; params are checked. */
export function servePrompts(session: CatalogueSession) {
  const { scope, roots, downstreams, log } = session;
  const { prompts } = session.catalogue;
  const behind = () => listBehind(() => downstreams.prompts(scope), { key: 'name', isOwn: prompts.has, log });

  return {
    'prompts/list': async () => ({ prompts: [...prompts.list(), ...(await behind())] }),
    'prompts/get': async (params, extra) => {
      const { name, arguments: values } = params as { name: string; arguments?: Record<string, string> };
      if (prompts.has(name)) {
        return prompts.get(name, values ?? {}, { tools: session.tools(), roots });
      }
      const request = session.passed(params, extra);
      const result = await downstreams.getPrompt(scope, { name, arguments: values }, request);
      if (result) return result;
      throw prompts.notFound(
        name,
        (await behind()).map((each) => String(each.name)),
      );
    },
  } satisfies Readonly<Record<string, Handler>>;
}

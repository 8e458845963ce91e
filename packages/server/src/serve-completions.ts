import { toCompletion } from './catalogue/completion.ts';
import type { CatalogueSession } from './catalogue-session.ts';
import type { Handler } from './handler.ts';
import { KEPT_RESULTS_TEMPLATE } from './results/kept-results.ts';

interface CompletionParams {
  readonly ref:
    | { readonly type: 'ref/prompt'; readonly name: string }
    | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
}

/** `completion/complete`; params are checked. */
export function serveCompletions(session: CatalogueSession) {
  const { scope, user, roots, downstreams, results, tools } = session;
  const { resources, prompts } = session.catalogue;

  function own({ ref, argument }: CompletionParams) {
    return ref.type === 'ref/prompt'
      ? prompts.complete(ref.name, argument, { tools: tools(), roots })
      : resources.complete(ref.uri, argument, { user, roots });
  }

  return {
    'completion/complete': async (params, extra) => {
      const { _meta, ...rest } = params;
      const request = rest as unknown as CompletionParams; // checked against the protocol's schema
      const { ref, argument } = request;
      if (results && ref.type === 'ref/resource' && ref.uri === KEPT_RESULTS_TEMPLATE.uriTemplate) {
        const ids = results.ids(scope).filter((id) => id.startsWith(argument.value));
        return { completion: toCompletion(ids) };
      }
      const isOwn = ref.type === 'ref/prompt' ? prompts.has(ref.name) : resources.hasTemplate(ref.uri);
      const passed = isOwn
        ? undefined
        : await downstreams.complete(scope, rest, session.passed(params, extra));
      // Where nobody has it, the error is that of our own lists.
      return passed ?? { completion: await own(request) };
    },
  } satisfies Readonly<Record<string, Handler>>;
}

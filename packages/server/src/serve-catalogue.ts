import type { CatalogueSession } from './catalogue-session.ts';
import type { Handler } from './handler.ts';
import { serveCompletions } from './serve-completions.ts';
import { servePrompts } from './serve-prompts.ts';
import { serveResources } from './serve-resources.ts';

/**
 * `resources/…`, `prompts/…` and `completion/complete`, by method. Definitions and results of other servers
 * leave as they came: the SDK's schemas would drop the keys they do not know.
 */
export function serveCatalogue(session: CatalogueSession): Readonly<Record<string, Handler>> {
  return { ...serveResources(session), ...servePrompts(session), ...serveCompletions(session) };
}

import { createRequire } from 'node:module';

/**
 * Where a grammar lies that comes with Nexus, since its package would have others compiled that are not used. From
 * source it is that package's; the build puts it beside the bundle.
 */
export function carriedGrammar(from: string, file: string): string {
  return createRequire(import.meta.url).resolve(`${from}/${file}`);
}

import { normalizeGlob } from './normalize-glob.ts';
import { throughLinks } from './through-links.ts';

/**
 * What a glob that somebody wrote is of, each in its one spelling.
 * @throws {ToolError} NEXUS_INVALID_PATTERN as `normalizeGlob`
 */
export function placesOf(glob: string, projectRoot: string): readonly string[] {
  return throughLinks(normalizeGlob(glob, projectRoot), projectRoot);
}

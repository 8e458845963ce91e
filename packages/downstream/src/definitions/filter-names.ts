import picomatch from 'picomatch';

/**
 * Which names `toolFilters` let through: exact names and globs, those that begin with `!` leave out whatever
 * the rest lets in. Without any that lets in, all are in.
 */
export function nameFilter(filters: readonly string[]): (name: string) => boolean {
  const isExclusion = (filter: string) => filter.startsWith('!');
  const included = matcher(filters.filter((filter) => !isExclusion(filter)));
  const excluded = matcher(filters.filter(isExclusion).map((filter) => filter.slice(1)));
  return (name) => (included?.(name) ?? true) && !excluded?.(name);
}

/** Names are no paths: `*` crosses what would be separators there. */
function matcher(patterns: readonly string[]): ((name: string) => boolean) | undefined {
  if (patterns.length === 0) return undefined;
  const exact = new Set(patterns);
  const globs = patterns.filter((pattern) => /[*?[\]{}()]/.test(pattern));
  const matches = globs.map((glob) => picomatch(glob.replaceAll('/', SLASH), { dot: true, nonegate: true }));
  return (name) => {
    const path = name.replaceAll('/', SLASH);
    return exact.has(name) || matches.some((isMatch) => isMatch(path));
  };
}

/** Stands for a slash: no name has it. */
const SLASH = '\uE000';

import { PatternFault, type Patterns } from '@nexus/untrusted/patterns';

/** Whether a filter takes more than exact names, `*` and `?`. */
export function isGlob(filter: string): boolean {
  return /[[\]{}()\\]/.test(filter);
}

/**
 * Which names `toolFilters` let through: exact names and globs, those that begin with `!` leave out whatever
 * the rest lets in. Without any that lets in, all are in. Linear in the names, which servers choose.
 * @param patterns needed where {@link isGlob} says so of a filter
 * @throws {PatternFault} a filter that can't be matched so
 */
export function nameFilter(filters: readonly string[], patterns?: Patterns): (name: string) => boolean {
  const isExclusion = (filter: string) => filter.startsWith('!');
  const included = matcher(
    filters.filter((filter) => !isExclusion(filter)),
    patterns,
  );
  const excluded = matcher(
    filters.filter(isExclusion).map((filter) => filter.slice(1)),
    patterns,
  );
  return (name) => (included?.(name) ?? true) && !excluded?.(name);
}

function matcher(filters: readonly string[], patterns?: Patterns): ((name: string) => boolean) | undefined {
  if (filters.length === 0) return undefined;
  const exact = new Set(filters);
  const globs = filters.filter((filter) => /[*?]/.test(filter) || isGlob(filter));
  const matches = globs.map((glob) => (isGlob(glob) ? globMatcher(glob, patterns) : starMatcher(glob)));
  return (name) => exact.has(name) || matches.some((isMatch) => isMatch(name));
}

/** Names have no parts: `*` crosses what would be separators in paths. */
function globMatcher(glob: string, patterns: Patterns | undefined): (name: string) => boolean {
  if (!patterns) throw new PatternFault(glob, 'was not expected');
  const pattern = patterns.glob(glob, { separator: '' });
  return (name) => pattern.test(name);
}

/** Remembers only the last star: what it took too little of is taken one by one, and never less. */
function starMatcher(glob: string): (name: string) => boolean {
  return (name) => {
    let [at, inGlob, star, resume] = [0, 0, -1, 0];
    while (at < name.length) {
      if (glob[inGlob] === '*') {
        star = inGlob;
        inGlob += 1;
        resume = at;
      } else if (glob[inGlob] === '?' || glob[inGlob] === name[at]) {
        inGlob += 1;
        at += 1;
      } else if (star === -1) return false;
      else {
        inGlob = star + 1;
        resume += 1;
        at = resume;
      }
    }
    while (glob[inGlob] === '*') inGlob += 1;
    return inGlob === glob.length;
  };
}

/** An escape, picomatch's own `{0,1}` and `{1,2}`, or a brace that closes nothing: each other one of a glob is a group. */
const ESCAPE_OR_BRACE = /\\([\s\S])|\{[01],[12]\}|\}/gu;

/**
 * What picomatch writes, as an expression of code points (flag `u`), of which a `?` or a class of a glob then takes one:
 * an emoji is two of UTF-16. With that flag only what is syntax may be escaped, and has to be.
 */
export function inCodePoints(source: string): string {
  return source.replace(ESCAPE_OR_BRACE, (written, escaped?: string) => {
    if (escaped === undefined) return written === '}' ? '\\}' : written;
    // In a class it would begin a range.
    if (escaped === '-') return '\\x2d';
    return /[\w^$\\.*+?()[\]{}|/]/.test(escaped) ? written : escaped;
  });
}

import { escapeForExpression } from './escape.ts';
import { type GlobToken, readGlob } from './read-glob.ts';

/** Numbers that `{1..9}` may stand for. */
const MAX_RANGE = 1_000;

/** A glob as a regular expression over the whole text; the syntax is read in one pass, whatever is unclosed. */
export function globToExpression(glob: string, separator: string): string {
  const inSegment = separator === '' ? '[^]' : `[^${escapeForExpression(separator)}]`;
  const slash = escapeForExpression(separator);

  const write = (token: GlobToken): string => {
    switch (token.kind) {
      case 'text':
        return escapeForExpression(token.text);
      case 'one':
        return inSegment;
      case 'many':
        return `${inSegment}*`;
      case 'folders':
        return `(?:[^]*${slash})?`;
      case 'below':
        return `(?:${slash}[^]*)?`;
      case 'everything':
        return '[^]*';
      case 'class':
        return `[${token.isNegated ? `^${slash}` : ''}${escapeMembers(token.members)}]`;
      case 'open':
        return '(?:';
      case 'or':
        return '|';
      case 'close':
        return `)${token.repeats}`;
      case 'range':
        return `(?:${range(token.from, token.to).join('|')})`;
    }
  };
  return `^${readGlob(glob, separator).map(write).join('')}$`;
}

function range(from: number, to: number): number[] {
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  return Array.from({ length: Math.min(high - low + 1, MAX_RANGE) }, (_, at) => low + at);
}

/** `a-z` stays a range; what is escaped, or means something to a regular expression alone, stands for itself. */
function escapeMembers(members: string): string {
  return members.replace(/\\([\s\S])|[[\]^]/g, (written, escaped?: string) =>
    (escaped ?? written).replace(/[\\\][^-]/, '\\$&'),
  );
}

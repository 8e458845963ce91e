import { globToExpression } from './glob-to-expression.ts';
import { PatternFault } from './pattern-fault.ts';
import { templateToExpression } from './template-to-expression.ts';

/** Characters of a pattern's source. */
const MAX_SOURCE_CHARS = 4_096;
/** Steps of one match, some 20 ns each at worst. */
const MAX_STEPS = 5_000_000;
/** Steps that a character costs however small the pattern is. */
const STEPS_PER_CHARACTER = 50;

/** A pattern that matches in time linear in the text, whoever wrote either. */
export interface Pattern {
  /** As given. */
  readonly source: string;
  /** About how many states it has, and so what a match may cost a character. */
  readonly states: number;
  /**
   * Whether the text matches; an expression does anywhere in it, a glob and a template as a whole.
   * @throws {PatternFault} when the match would take too long
   */
  test(text: string): boolean;
}

/** Makes patterns of what servers and callers wrote. Each throws a {@link PatternFault} that says what it can't take. */
export interface Patterns {
  /** A regular expression as JavaScript writes it, without lookaround, backreferences and inline flags. */
  expression(source: string): Pattern;
  /** `*`, `**`, `?`, `[abc]`, `{a,b}`, `{1..9}`; `*` and `?` stop at `separator`, by default `/`. */
  glob(source: string, options?: GlobOptions): Pattern;
  /** Matches URIs that the template (RFC 6570) may make: enough to tell whose one is. */
  uriTemplate(source: string): Pattern;
}

export interface GlobOptions {
  /** One character, or '' where names have no parts. */
  readonly separator?: string;
}

let loading: Promise<Patterns> | undefined;

/** The engine is loaded by the first who asks. */
export function loadPatterns(): Promise<Patterns> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Patterns> {
  const [{ RE2JS }, { translate }] = await Promise.all([import('re2js'), import('./translate.ts')]);

  function compile(source: string, toExpression: (source: string) => string): Pattern {
    if (source.length > MAX_SOURCE_CHARS) {
      throw new PatternFault(source, `is longer than ${MAX_SOURCE_CHARS} characters`);
    }
    const { expression, states } = translate(toExpression(source), source);
    const compiled = asFault(source, () => RE2JS.compile(expression));
    return {
      source,
      states,
      test(text) {
        if (text.length * (states + STEPS_PER_CHARACTER) > MAX_STEPS) {
          throw new PatternFault(source, `would take too long on a text of ${text.length} characters`);
        }
        return compiled.test(text);
      },
    };
  }

  return {
    expression: (source) => compile(source, (expression) => expression),
    glob: (source, { separator = '/' } = {}) => compile(source, (glob) => globToExpression(glob, separator)),
    uriTemplate: (source) => compile(source, templateToExpression),
  };
}

function asFault<Result>(source: string, attempt: () => Result): Result {
  try {
    return attempt();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PatternFault(source, `can't be matched in linear time: ${reason}`, { cause });
  }
}

/** What runners of common languages print where a test was never reached: something could not be loaded or built. */
const LOADING = [
  /Cannot find (?:module|package)\b|does not provide an export named|Failed to resolve import|Could not resolve "/,
  /SyntaxError: (?:missing |Unexpected |Invalid |Identifier |Cannot use import|await is only|invalid syntax|unexpected |unterminated |expected )/,
  /\b(?:ModuleNotFoundError|ImportError|IndentationError|LoadError)\b|errors? during collection|fixture '[^']{1,200}' not found/,
  /\bno tests? (?:files?|found|ran|were (?:found|run)|executed)\b|\bcollected 0 items\b/i,
  /\[(?:build|setup) failed\]|\bcould not compile\b|\berror TS\d{1,5}:|\bcannot find symbol\b|COMPILATION ERROR|undefined reference to/,
] as const;
const OF_DATA = /\bJSON\b/;

/** What is a test's own mistake where it stands in the test, and a fault of the code where it stands there. */
const LACKING =
  /\bReferenceError\b|\bis not a (?:function|constructor)\b|\b(?:NameError|AttributeError|NoMethodError|FileNotFoundError)\b|\bENOENT\b/;
/** Its runner tells of the place before the mistake. */
const OF_PYTHON = /\b(?:NameError|AttributeError|FileNotFoundError)\b/;
const PLACE = /([\w@.+\-/]{1,400}\.[A-Za-z]{1,10})(?::|", line )\d/;
/** As far from the mistake as the place of it is looked for. */
const NEAR_LINES = 30;

interface Around {
  /** The tests that were written, by path. */
  readonly tests: readonly string[];
  /** What the same command printed when it passed: what stands there too did not make it red. */
  readonly green?: string;
}

/**
 * The line by which what a command printed in red tells that a test was not reached, or that the test itself lacks
 * what it names: such a red says nothing of the code. Nothing where no such line is known.
 */
export function loadingFault(output: string, { tests, green = '' }: Around): string | undefined {
  const known = new Set(green.split('\n').map((line) => line.trim()));
  const lines = output.split('\n');
  return lines
    .find((line, at) => {
      if (known.has(line.trim())) return false;
      if (LOADING.some((pattern) => pattern.test(line))) return !OF_DATA.test(line);
      return LACKING.test(line) && isOfTest(placeOf(lines, at), tests);
    })
    ?.trim();
}

function placeOf(lines: readonly string[], at: number): string | undefined {
  const near = OF_PYTHON.test(lines[at] ?? '')
    ? [...lines.slice(Math.max(0, at - NEAR_LINES), at + 1)].reverse()
    : lines.slice(at, at + NEAR_LINES);
  for (const line of near) {
    const place = PLACE.exec(line)?.[1];
    if (place !== undefined) return place;
  }
  return undefined;
}

const isOfTest = (place: string | undefined, tests: readonly string[]) =>
  place !== undefined &&
  tests.some((test) => `/${place}`.endsWith(`/${test}`) || `/${test}`.endsWith(`/${place}`));

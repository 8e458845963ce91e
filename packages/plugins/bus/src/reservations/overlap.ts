import { posix } from 'node:path';
import { ToolError } from '@nexus/plugin-sdk';
import picomatch from 'picomatch';
import { isDisjointWith, JS, NFA, TooManyNodesError, type TransitionIterable } from 'refa';
import { inCodePoints } from './in-code-points.ts';
import { rangeOf } from './range-of.ts';

/** To a group, such as `\1`: no automaton has one, and what is written so counts as overlapping. */
const REFERENCE = /\\[1-9]/;

/** States of an automaton beyond which a glob counts as overlapping, rather than keep the caller waiting. */
const MAX_NODES = 10_000;

/** Pairs of states that one comparison of many globs looks at; what is left then counts as overlapping. */
const MAX_PAIRS = 200_000;

/** Characters of texts times those of globs that they are held against, in one comparison of many: a tenth of a second. */
const MAX_READ = 12_000_000;

/**
 * Case is ignored, since some of the workers' file systems ignore it; `.` files are files; `[!a]` is "not a", as to a
 * shell.
 */
const MATCHING = { dot: true, nocase: true, nonegate: true, posix: true, debug: true } as const;

/** Where a class that excludes characters begins, in what picomatch writes: each `[` of a text is escaped there. */
const NEGATED_CLASS = /(?<!\\)\[\^/g;

interface Pattern {
  readonly glob: string;
  /** The folder that every match lies in, or the path itself for a glob without wildcards. */
  readonly base: readonly string[];
  /** A glob without wildcards as that of one file; undefined where it has some, or is known to be of a folder. */
  readonly asFile: Reading | undefined;
  /** As the glob stands; one without wildcards as that of a folder with all below it. */
  readonly whole: Reading;
}

interface Reading {
  /** Undefined when it would be too large. */
  readonly automaton: NFA | undefined;
}

/** What is at a path relative to the project; undefined where nothing is known to be. */
export type KindOf = (path: string) => 'file' | 'folder' | undefined;

export interface GlobOverlap {
  /** @throws {ToolError} NEXUS_INVALID_PATTERN when the glob does not parse */
  check(glob: string): void;
  /**
   * True when some path could match both globs. Errs only towards true, but for a path without wildcards where nothing
   * is: with an extension it is a file, unless the other glob leads into it.
   */
  overlap(a: string, b: string): boolean;
  /** Whether the glob is of this path; errs only towards true. */
  matches(glob: string, path: string): boolean;
}

/**
 * Compares globs by the intersection of their automata: picomatch gives the regular expression, refa
 * the automaton. Lookaheads are left out of it, which can only add matches: `!(b)` matches `b`, too. The expression itself is never
 * run: it backtracks, and one worker's glob on another's text could hold the server for ever.
 */
export function createGlobOverlap(kindOf: KindOf): GlobOverlap {
  const patterns = new Map<string, Pattern>();
  /** By the one glob and the other: each pair is compared once. */
  const answers = new Map<string, Map<string, boolean>>();
  let pairsLeft = MAX_PAIRS;
  let readLeft = MAX_READ;

  function compile(glob: string): Pattern {
    const { base, isGlob } = picomatch.scan(glob);
    // A path without wildcards may be a folder, and then stands for what is below it.
    const source = isGlob ? glob : `${glob}/**`;
    const readAs = (written: string): Reading => ({ automaton: orRefused(glob, () => toAutomaton(written)) });
    return {
      glob,
      base: (isGlob ? base : glob)
        .toUpperCase() // as a regular expression that ignores case does
        .split('/')
        .filter((segment) => segment !== ''),
      asFile: !isGlob && isFile(glob) ? readAs(glob) : undefined,
      whole: readAs(source),
    };
  }

  function isFile(path: string): boolean {
    return (kindOf(path) ?? (posix.extname(path) === '' ? 'folder' : 'file')) === 'file';
  }

  function orRefused<Result>(glob: string, read: () => Result): Result {
    try {
      return read();
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      const text = `Glob "${glob}" does not parse: ${cause.message}.`;
      throw new ToolError('NEXUS_INVALID_PATTERN', text, { detail: { glob }, cause });
    }
  }

  function toAutomaton(glob: string): NFA | undefined {
    const { source: written, flags } = picomatch.makeRe(glob, { ...MATCHING, expandRange: rangeOf });
    // No class reaches into the next folder: `[![:alpha:]]` would, as picomatch writes it. A range of one character, so
    // that a `-` after it begins none.
    const source = inCodePoints(written.replace(NEGATED_CLASS, '[^/-/'));
    if (REFERENCE.test(source)) return undefined;
    try {
      // A name may hold a line break, which `.` is without this flag none of: `**` would not cross it.
      const parser = JS.Parser.fromLiteral({ source, flags: `${flags}su` });
      const parsed = parser.parse({ assertions: 'ignore', backreferences: 'throw', maxNodes: MAX_NODES });
      const { maxCharacter } = parsed;
      return NFA.fromRegex(parsed.expression, { maxCharacter }, {}, new NFA.LimitedNodeFactory(MAX_NODES));
    } catch (error) {
      if (error instanceof TooManyNodesError) return undefined;
      throw error;
    }
  }

  function patternOf(glob: string): Pattern {
    const known = patterns.get(glob);
    if (known) return known;
    const pattern = compile(glob);
    patterns.set(glob, pattern);
    return pattern;
  }

  function intersect(a: NFA | undefined, b: NFA | undefined): boolean {
    if (!a || !b || pairsLeft <= 0) return true;
    const counted = countVisits(a);
    try {
      return !isDisjointWith(counted, b, Math.min(MAX_NODES, pairsLeft));
    } catch (error) {
      if (error instanceof TooManyNodesError) return true;
      throw error;
    } finally {
      pairsLeft -= counted.visits();
    }
  }

  /** Whether the glob is of the text as it is written; of what there is no time for, it counts as one. */
  function standsFor({ glob }: Pattern, reading: Reading, text: string): boolean {
    readLeft -= glob.length * text.length;
    return readLeft < 0 || accepts(reading, text);
  }

  function compare(left: string, right: string): boolean {
    const [a, b] = [patternOf(left), patternOf(right)];
    if (divergeAt(a.base, b.base)) return false;
    const [ofA, ofB] = [readBeside(a, b), readBeside(b, a)];
    // Brackets may be meant as written (`app/[id]/page.tsx`), so each glob also stands for its own text.
    return standsFor(a, ofA, right) || standsFor(b, ofB, left) || intersect(ofA.automaton, ofB.automaton);
  }

  return {
    check: (glob) => void patternOf(glob),
    // Brackets may be meant as written here, too.
    matches(written, ofDisk) {
      const [glob, path] = [oneForm(written), oneForm(ofDisk)];
      return glob.toUpperCase() === path.toUpperCase() || accepts(patternOf(glob).whole, path);
    },
    overlap(one, other) {
      const [left, right] = [oneForm(one), oneForm(other)];
      if (left === right) return true;
      const ofLeft = answers.get(left) ?? new Map<string, boolean>();
      answers.set(left, ofLeft);
      const answer = ofLeft.get(right) ?? compare(left, right);
      ofLeft.set(right, answer);
      return answer;
    },
  };
}

/** Of `é` in one character or in two, which some of the workers' file systems take for the same name. */
function oneForm(text: string): string {
  return text.normalize('NFC');
}

/** Whether the glob matches the text, by sets of states: in time linear in the text. */
function accepts({ automaton }: Reading, text: string): boolean {
  return automaton?.test(Array.from(text, (character) => character.codePointAt(0) ?? 0)) ?? true;
}

/** Of two whose folders do not differ. Who asks for what lies below a path takes it for a folder. */
function readBeside(pattern: Pattern, other: Pattern): Reading {
  const leadsInto = other.base.length >= pattern.base.length;
  return (leadsInto ? undefined : pattern.asFile) ?? pattern.whole;
}

/** An intersection asks for the ways out of a state of this side once for each pair of states. */
function countVisits(automaton: NFA): TransitionIterable<NFA.ReadonlyNode> & { visits(): number } {
  let visits = 0;
  return {
    maxCharacter: automaton.maxCharacter,
    transitionIterator() {
      const states = automaton.transitionIterator();
      return {
        ...states,
        getOut(state) {
          visits += 1;
          return states.getOut(state);
        },
      };
    },
    visits: () => visits,
  };
}

/** True when neither folder is inside the other: no path lies in both. */
function divergeAt(a: readonly string[], b: readonly string[]): boolean {
  return a.slice(0, b.length).some((segment, index) => segment !== b[index]);
}

import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { classOf, setOf } from './character-sets.ts';
import { PatternFault } from './pattern-fault.ts';

/** RE2 counts to a thousand, nested repetitions multiplied; what is beyond is written out. */
const MAX_COUNT = 1_000;
/** States that a pattern may have once its counted repetitions are written out. */
const MAX_STATES = 10_000;
/** Groups within groups: parser, translation and engine each go down with them, on a stack of unknown size. */
const MAX_DEPTH = 200;

export interface Translation {
  /** The same language in RE2's syntax. */
  readonly expression: string;
  /** How many states it has with its repetitions written out. */
  readonly states: number;
}

interface Part extends Translation {
  /** How often its most repeated part is, as RE2 counts. */
  readonly count: number;
}

/**
 * Writes a regular expression of JavaScript for RE2, whose classes and anchors mean other things.
 * @param given the pattern as its author wrote it, for messages
 * @throws {PatternFault} for what no automaton can do, or RE2 does not
 */
export function translate(source: string, given: string): Translation {
  if (depthOf(source) > MAX_DEPTH) throw new PatternFault(given, `nests more than ${MAX_DEPTH} groups`);
  const { expression, states } = alternatives(parse(source, given), given);
  if (states > MAX_STATES) throw new PatternFault(given, `needs more than ${MAX_STATES} states`);
  return { expression, states };
}

/** How deep its groups nest; what is escaped or in a class opens none. */
function depthOf(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [part] of source.matchAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]?|[()]/g)) {
    if (part === '(') depth += 1;
    else if (part === ')') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** As JSON Schema asks: by Unicode where that is possible, else as browsers read what is not. */
function parse(source: string, given: string): AST.Pattern {
  const parser = new RegExpParser();
  try {
    return parser.parsePattern(source, 0, source.length, { unicode: true });
  } catch {
    try {
      return parser.parsePattern(source, 0, source.length, { unicode: false });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new PatternFault(given, `does not parse: ${reason}`, { cause });
    }
  }
}

function alternatives(node: AST.Pattern | AST.Group | AST.CapturingGroup, given: string): Part {
  const each = node.alternatives.map(({ elements }) => sequence(elements, given));
  return {
    expression: each.map(({ expression }) => expression).join('|'),
    states: each.reduce((sum, { states }) => sum + states, each.length),
    count: Math.max(...each.map(({ count }) => count)),
  };
}

function sequence(elements: readonly AST.Element[], given: string): Part {
  const each = elements.map((element) => translateElement(element, given));
  return {
    expression: each.map(({ expression }) => expression).join(''),
    states: each.reduce((sum, { states }) => sum + states, 0),
    count: Math.max(1, ...each.map(({ count }) => count)),
  };
}

function translateElement(element: AST.Element, given: string): Part {
  switch (element.type) {
    case 'Character':
    case 'CharacterSet':
      return { expression: setOf(element, given), states: 1, count: 1 };
    case 'CharacterClass':
      return { expression: classOf(element, given), states: 1, count: 1 };
    case 'CapturingGroup':
      return grouped(alternatives(element, given));
    case 'Group':
      if (element.modifiers) throw new PatternFault(given, 'has inline flags, which are not supported');
      return grouped(alternatives(element, given));
    case 'Assertion':
      return { expression: assertion(element, given), states: 1, count: 1 };
    case 'Quantifier':
      return repeated(element, given);
    case 'Backreference':
      throw new PatternFault(given, `has the backreference ${element.raw}, which is not supported`);
    case 'ExpressionCharacterClass':
      throw new PatternFault(given, 'has set operations in a class, which are not supported');
  }
}

function grouped({ expression, ...rest }: Part): Part {
  return { expression: `(?:${expression})`, ...rest };
}

function assertion(element: AST.Assertion, given: string): string {
  switch (element.kind) {
    case 'start':
      return '\\A';
    case 'end':
      return '\\z';
    case 'word':
      return element.negate ? '\\B' : '\\b';
    default:
      throw new PatternFault(given, `has the ${element.kind} ${element.raw}, which is not supported`);
  }
}

function repeated({ min, max, element }: AST.Quantifier, given: string): Part {
  const { expression, states, count } = translateElement(element, given);
  const isOpen = max === Number.POSITIVE_INFINITY;
  const times = Math.max(1, isOpen ? min : max);
  if (states * times > MAX_STATES) throw new PatternFault(given, `needs more than ${MAX_STATES} states`);
  const unit = element.type === 'Assertion' ? `(?:${expression})` : expression;
  const write = count * times > MAX_COUNT ? writtenOut : counted;
  // Which match is the longest does not matter to whether there is one, so laziness goes.
  return {
    expression: `(?:${write(unit, min, max)})`,
    states: states * times,
    count: write === counted ? count * times : count,
  };
}

function counted(unit: string, min: number, max: number): string {
  return `${unit}{${min},${max === Number.POSITIVE_INFINITY ? '' : max}}`;
}

function writtenOut(unit: string, min: number, max: number): string {
  const isOpen = max === Number.POSITIVE_INFINITY;
  return `${unit.repeat(min)}${isOpen ? `${unit}*` : `${unit}?`.repeat(max - min)}`;
}

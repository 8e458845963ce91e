import { nearestNames } from '@nexus/plugin-sdk';
import { boundsFault, cutEnd, doubledKey, parseUnrounded } from '@nexus/primitives';
import { isKept, WOULD_BE_ROUNDED } from './rounded.ts';
import { isEqual, isRecord, memberOf, textOf, type Value } from './values.ts';

/** Of one object in a JSON text: each name is looked up among the others. */
const MAX_MEMBERS = 10_000;

interface ExpressionFunction {
  readonly parameters: readonly string[];
  /** How many may be left out at the end. */
  readonly optional?: number;
  /** For the docs. */
  readonly gives: string;
  /** Whether it looks at no more than the members of what it is given. */
  readonly isFlat?: boolean;
  /**
   * Total, and linear in what it is given: for what makes no sense it gives null.
   * @param spend said before what is made may be larger than what was given
   * @param refuse said of what would come to another value than is written
   */
  apply(
    given: readonly Value[],
    spend: (characters: number, members?: number) => void,
    refuse: (message: string) => never,
  ): Value;
}

/** The functions of expressions: all there are. */
export const functions = {
  length: {
    parameters: ['value'],
    isFlat: true,
    gives: 'how many characters, items or members it has',
    apply: ([value]) => {
      if (typeof value === 'string' || Array.isArray(value)) return value.length;
      return isRecord(value) ? Object.keys(value).length : 0;
    },
  },
  contains: {
    parameters: ['where', 'what'],
    gives: 'whether a text has a part, a list an item, or an object a member of that name',
    apply: ([where, what]) => {
      if (typeof where === 'string') return where.includes(textOf(what));
      if (Array.isArray(where)) return where.some((each) => isEqual(each, what));
      return isRecord(where) && typeof what === 'string' && Object.hasOwn(where, what);
    },
  },
  startsWith: {
    parameters: ['text', 'part'],
    gives: 'whether the text begins with the part',
    apply: ([text, part]) => textOf(text).startsWith(textOf(part)),
  },
  endsWith: {
    parameters: ['text', 'part'],
    gives: 'whether the text ends with the part',
    apply: ([text, part]) => textOf(text).endsWith(textOf(part)),
  },
  lower: {
    parameters: ['text'],
    gives: 'the text in small letters',
    apply: ([text]) => textOf(text).toLowerCase(),
  },
  upper: {
    parameters: ['text'],
    gives: 'the text in capital letters',
    apply: ([text]) => textOf(text).toUpperCase(),
  },
  trim: {
    parameters: ['text'],
    gives: 'the text without white space around it',
    apply: ([text]) => textOf(text).trim(),
  },
  split: {
    parameters: ['text', 'separator'],
    gives: 'the parts of a text, as a list',
    apply: ([text, separator], spend) => {
      const [whole, by] = [textOf(text), textOf(separator)];
      if (by === '') return null;
      for (let at = whole.indexOf(by); at !== -1; at = whole.indexOf(by, at + by.length)) spend(0, 1);
      return whole.split(by);
    },
  },
  join: {
    parameters: ['list', 'separator'],
    gives: 'the items of a list as one text',
    apply: ([list, separator], spend) => {
      if (!Array.isArray(list)) return null;
      const by = textOf(separator);
      spend(list.length * by.length);
      return list.map(textOf).join(by);
    },
  },
  slice: {
    parameters: ['value', 'from', 'to'],
    isFlat: true,
    optional: 1,
    gives: 'a part of a text or list, from a place (0 is the first) up to before another',
    apply: ([value, from, to]) => {
      if (typeof value !== 'string' && !Array.isArray(value)) return null;
      return value.slice(...[from, to].map((each) => (typeof each === 'number' ? each : undefined)));
    },
  },
  first: {
    parameters: ['list'],
    isFlat: true,
    gives: 'the first item of a list',
    apply: ([list]) => memberOf(list, 0),
  },
  last: {
    parameters: ['list'],
    isFlat: true,
    gives: 'the last item of a list',
    apply: ([list]) => (Array.isArray(list) ? memberOf(list, list.length - 1) : null),
  },
  keys: {
    parameters: ['object'],
    isFlat: true,
    gives: 'the names of an object’s members',
    apply: ([object]) => (isRecord(object) ? Object.keys(object) : null),
  },
  values: {
    parameters: ['object'],
    isFlat: true,
    gives: 'the values of an object’s members',
    apply: ([object]) => (isRecord(object) ? Object.values(object) : null),
  },
  pluck: {
    parameters: ['list', 'name'],
    isFlat: true,
    gives: 'one member of each item of a list',
    apply: ([list, name]) => (Array.isArray(list) ? list.map((each) => memberOf(each, name)) : null),
  },
  where: {
    parameters: ['list', 'name', 'value'],
    gives: 'the items of a list whose member of that name is the value',
    apply: ([list, name, value]) =>
      Array.isArray(list) ? list.filter((each) => isEqual(memberOf(each, name), value)) : null,
  },
  unique: {
    parameters: ['list'],
    gives: 'the items of a list, each once',
    apply: ([list]) =>
      Array.isArray(list)
        ? [...new Map(list.map((each) => [JSON.stringify(each), each as Value])).values()]
        : null,
  },
  flatten: {
    parameters: ['list'],
    isFlat: true,
    gives: 'the items of the lists in a list',
    apply: ([list], spend) => {
      if (!Array.isArray(list)) return null;
      for (const each of list) spend(0, Array.isArray(each) ? each.length : 1);
      return list.flat();
    },
  },
  default: {
    parameters: ['value', 'otherwise'],
    isFlat: true,
    gives: 'the value, or the other one where it is null',
    apply: ([value, otherwise]) => value ?? otherwise,
  },
  number: {
    parameters: ['text'],
    gives: 'the number that a text reads as, or null; one that would be rounded is an error',
    apply: ([text], _spend, refuse) => {
      const written = textOf(text).trim();
      const value = written === '' ? Number.NaN : Number(written);
      if (!Number.isFinite(value)) return null;
      return isKept(written, value) ? value : refuse(`${cutEnd(written, 60)} ${WOULD_BE_ROUNDED}`);
    },
  },
  toJson: {
    parameters: ['value'],
    gives: 'the value as JSON',
    apply: ([value]) => JSON.stringify(value ?? null),
  },
  fromJson: {
    parameters: ['text'],
    gives:
      'what a JSON text says, or null where it is none; a number that would be rounded is a text, a doubled name an error',
    apply: ([text], spend, refuse) => {
      const json = textOf(text);
      // Reading takes several times as long as going through it, and far longer for names and depth.
      spend(8 * json.length);
      if (boundsFault(json, { maxMembers: MAX_MEMBERS }) !== undefined) spend(Number.MAX_SAFE_INTEGER);
      let value: Value;
      try {
        value = parseUnrounded(json) as Value;
      } catch {
        return null;
      }
      const doubled = doubledKey(json);
      if (doubled === undefined) return value;
      return refuse(`the JSON has ${JSON.stringify(cutEnd(doubled, 60))} twice, and one value would be lost`);
    },
  },
} as const satisfies Record<string, ExpressionFunction>;

export type FunctionName = keyof typeof functions;

/** Why there is no such call; undefined where there is. */
export function functionFault(name: string, count: number): string | undefined {
  const found = functionOf(name);
  if (!found) {
    const names = Object.keys(functions);
    const [near] = nearestNames(name, names);
    const hint = near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`;
    return `there is no function "${name}"; ${hint}`;
  }
  const most = found.parameters.length;
  const least = most - (found.optional ?? 0);
  if (count >= least && count <= most) return undefined;
  const wanted = least === most ? String(most) : `${least} to ${most}`;
  return `${name} takes ${wanted} (${found.parameters.join(', ')}), not ${count}`;
}

export function functionOf(name: string): ExpressionFunction | undefined {
  return Object.hasOwn(functions, name) ? functions[name as FunctionName] : undefined;
}

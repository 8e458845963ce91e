import { nearestNames } from '@nexus/plugin-sdk';
import { isEqual, isRecord, memberOf, textOf, type Value } from './values.ts';

interface ExpressionFunction {
  readonly parameters: readonly string[];
  /** How many may be left out at the end. */
  readonly optional?: number;
  /** For the docs. */
  readonly gives: string;
  /** Total, and linear in what it is given: for what makes no sense it gives null. */
  apply(given: readonly Value[]): Value;
}

/** The functions of expressions: all there are. */
export const functions = {
  length: {
    parameters: ['value'],
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
    apply: ([text, separator]) => (textOf(separator) === '' ? null : textOf(text).split(textOf(separator))),
  },
  join: {
    parameters: ['list', 'separator'],
    gives: 'the items of a list as one text',
    apply: ([list, separator]) => (Array.isArray(list) ? list.map(textOf).join(textOf(separator)) : null),
  },
  slice: {
    parameters: ['value', 'from', 'to'],
    optional: 1,
    gives: 'a part of a text or list, from a place (0 is the first) up to before another',
    apply: ([value, from, to]) => {
      if (typeof value !== 'string' && !Array.isArray(value)) return null;
      return value.slice(...[from, to].map((each) => (typeof each === 'number' ? each : undefined)));
    },
  },
  first: {
    parameters: ['list'],
    gives: 'the first item of a list',
    apply: ([list]) => memberOf(list, 0),
  },
  last: {
    parameters: ['list'],
    gives: 'the last item of a list',
    apply: ([list]) => (Array.isArray(list) ? memberOf(list, list.length - 1) : null),
  },
  keys: {
    parameters: ['object'],
    gives: 'the names of an object’s members',
    apply: ([object]) => (isRecord(object) ? Object.keys(object) : null),
  },
  values: {
    parameters: ['object'],
    gives: 'the values of an object’s members',
    apply: ([object]) => (isRecord(object) ? Object.values(object) : null),
  },
  pluck: {
    parameters: ['list', 'name'],
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
    gives: 'the items of the lists in a list',
    apply: ([list]) => (Array.isArray(list) ? list.flat() : null),
  },
  default: {
    parameters: ['value', 'otherwise'],
    gives: 'the value, or the other one where it is null',
    apply: ([value, otherwise]) => value ?? otherwise,
  },
  number: {
    parameters: ['text'],
    gives: 'the number that a text reads as, or null',
    apply: ([text]) => {
      const value = textOf(text).trim() === '' ? Number.NaN : Number(textOf(text));
      return Number.isFinite(value) ? value : null;
    },
  },
  toJson: {
    parameters: ['value'],
    gives: 'the value as JSON',
    apply: ([value]) => JSON.stringify(value ?? null),
  },
  fromJson: {
    parameters: ['text'],
    gives: 'what a JSON text says, or null where it is none',
    apply: ([text]) => {
      try {
        return JSON.parse(textOf(text)) as Value;
      } catch {
        return null;
      }
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

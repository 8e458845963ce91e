import type { Edit } from './faults.ts';
import type { PackageName } from './packages.ts';

/** A change that changes nothing that anybody could see. */
export interface CleanEdit extends Edit {
  readonly package: PackageName;
  readonly title: string;
}

export const cleanEdits: readonly CleanEdit[] = [
  {
    package: 'ms',
    title: 'Say what is returned where nothing matches',
    from: 'if (!match) {\n    return;\n  }',
    to: 'if (match === null) {\n    return undefined;\n  }',
  },
  {
    package: 'bytes',
    title: 'Drop an assignment of what the variable already holds',
    from: `floatValue = parseInt(val, 10);\n    unit = 'b'`,
    to: 'floatValue = parseInt(val, 10);',
  },
  {
    package: 'range-parser',
    title: 'Say that there are none',
    from: 'if (ranges.length < 1) {',
    to: 'if (ranges.length === 0) {',
  },
  {
    package: 'fresh',
    title: 'Return early in the place of a conditional expression',
    from: `return typeof timestamp === 'number'\n    ? timestamp\n    : NaN`,
    to: `if (typeof timestamp === 'number') {\n    return timestamp\n  }\n\n  return NaN`,
  },
  {
    package: 'yocto-queue',
    title: 'Use the variable that is there',
    from: 'this._head = this._head.next;',
    to: 'this._head = current.next;',
  },
  {
    package: 'camelcase',
    title: 'Compare with the empty text',
    from: 'if (input.length === 0) {',
    to: `if (input === '') {`,
  },
  {
    package: 'cookie',
    title: 'Put the constant on the right',
    from: 'if (null != opt.maxAge) {',
    to: 'if (opt.maxAge != null) {',
  },
  {
    package: 'minimist',
    title: 'Write the default options as an expression',
    from: 'if (!opts) { opts = {}; }',
    to: 'opts = opts || {};',
  },
  {
    package: 'content-type',
    title: 'Ask whether it includes a backslash',
    from: `if (value.indexOf('\\\\') !== -1) {`,
    to: `if (value.includes('\\\\')) {`,
  },
];

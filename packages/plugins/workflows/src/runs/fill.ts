import { ToolError } from '@nexus/plugin-sdk';
import type { Scope } from '../expressions/evaluate.ts';
import { ExpressionFault } from '../expressions/expression.ts';
import { type Filled, template } from '../expressions/template.ts';
import type { Value } from '../expressions/values.ts';
import type { Work } from '../expressions/work.ts';

/** A value of a file, ready to be filled; what is too large is an error that names where it stands. */
export function filler(value: unknown, where: string): Filled {
  const fill = template(value);
  return (scope: Scope, work?: Work): Value => {
    try {
      return fill(scope, work);
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error;
      const text = `${where}: ${error.message} (at character ${error.at + 1}).`;
      throw new ToolError('NEXUS_INVALID_ARGUMENTS', text, { detail: { where } });
    }
  };
}

/** @throws {ToolError} where what is to be done for each is no list */
export function itemsOf(value: Value, where: string): readonly Value[] {
  if (Array.isArray(value)) return value;
  const found = value === null || value === undefined ? 'nothing' : `a ${typeof value}`;
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', `${where} must come to a list; it came to ${found}.`);
}

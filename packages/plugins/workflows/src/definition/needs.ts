import { parseText } from '../expressions/template.ts';
import type { StepFile } from './file-schema.ts';
import { checkNames, type Names } from './names.ts';

/** The steps that must have ended before a step: those it states, and those that its expressions name. */
export function needsOf(step: StepFile, ids: ReadonlySet<string>): string[] {
  const names: Names = { roots: ['steps'], inputs: new Set(), work: { root: 'steps', ids } };
  const named = textsIn([step.with, step.if, step.forEach]).flatMap((text) =>
    parseText(text).flatMap((part) => (typeof part === 'string' ? [] : checkNames(part, names, []))),
  );
  return [...new Set([...step.needs, ...named])];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

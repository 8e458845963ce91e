import { ToolError } from '@nexus/plugin-sdk';
import type { InputFile } from '../definition/file-schema.ts';
import { fitsType } from '../definition/input-types.ts';
import { isWithinLimits } from '../expressions/values.ts';
import { hintOf } from '../nearest.ts';

export interface CheckedInputs {
  /** With defaults; null where nothing is given. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly missing: readonly string[];
  readonly faults: readonly string[];
}

/** Holds what is given to what a workflow takes. */
export function checkInputs(
  declared: readonly InputFile[],
  given: Readonly<Record<string, unknown>>,
): CheckedInputs {
  const names = declared.map(({ name }) => name);
  const faults = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => `there is no input "${name}"${hintOf(name, names)}`);
  const missing: string[] = [];
  const values: Record<string, unknown> = {};
  for (const input of declared) {
    const { name, type } = input;
    const value = (Object.hasOwn(given, name) ? given[name] : undefined) ?? input.default ?? null;
    values[name] = value;
    if (value === null) {
      if (input.required) missing.push(name);
    } else if (!fitsType(value, type)) {
      faults.push(`"${name}" takes a value of type ${type}, not ${JSON.stringify(value).slice(0, 80)}`);
    } else if (!isWithinLimits(value)) faults.push(`"${name}" is too large or too deeply nested`);
  }
  return { values, missing, faults };
}

/** @throws {ToolError} NEXUS_INVALID_ARGUMENTS naming all that is missing or wrong */
export function assertInputs(workflow: string, declared: readonly InputFile[], checked: CheckedInputs): void {
  const { missing, faults } = checked;
  if (missing.length === 0 && faults.length === 0) return;
  const about = new Map(declared.map(({ name, description }) => [name, description]));
  const lines = [...missing.map((name) => `"${name}" is missing: ${about.get(name)}`), ...faults].map(
    (line) => `- ${line}`,
  );
  throw new ToolError(
    'NEXUS_INVALID_ARGUMENTS',
    `The inputs of ${workflow} do not fit:\n${lines.join('\n')}`,
    {
      detail: { missing, faults },
    },
  );
}

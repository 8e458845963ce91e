import { type Concurrency, type RunBeginning, ToolError } from '@nexus/plugin-sdk';
import type { Definition } from '../definition/file-schema.ts';
import type { Scope } from '../expressions/evaluate.ts';
import { isRecord, type Value } from '../expressions/values.ts';
import { filler } from './fill.ts';
import { assertInputs, checkInputs } from './inputs.ts';
import type { KeptDefinition, WorkflowInput } from './kept-definition.ts';

type Held = Pick<RunBeginning<WorkflowInput>, 'input' | 'title' | 'concurrency'>;

/**
 * What follows of the inputs that a workflow is given.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS with every fault of them
 */
export function heldInputs(definition: Definition, inputs: Readonly<Record<string, unknown>>): Held {
  const { name } = definition;
  const checked = checkInputs(definition.inputs, inputs);
  assertInputs(name, definition.inputs, checked);
  return {
    input: { workflow: name, inputs: checked.values },
    title: titleOf(name, inputs),
    concurrency: concurrencyOf(definition, checked.values),
  };
}

/**
 * The same of a rerun, whose input is written as the run has it.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
export function heldAnew(given: unknown, definition: unknown): Held {
  const { file } = definition as KeptDefinition; // as the first start kept it
  const written = (given ?? null) as Value; // JSON, as whoever has it run again wrote it
  const {
    inputs = null,
    workflow: _,
    ...others
  } = isRecord(written) ? written : ({} as Readonly<Record<string, Value>>);
  if (!isRecord(inputs) || Object.keys(others).length > 0) {
    const text = `The input of a workflow's run is {"inputs": {…}}, with what ${file.name} takes: ${JSON.stringify(given)?.slice(0, SHOWN)} is not.`;
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
  }
  return heldInputs(file, inputs);
}

const SHOWN = 80;

/** What of the workflow goes on at a time, by what it was given. */
function concurrencyOf(
  { concurrency }: Definition,
  inputs: Readonly<Record<string, unknown>>,
): Concurrency | undefined {
  if (!concurrency) return undefined;
  const { group, limit, onConflict } = concurrency;
  const key = filler(group, 'concurrency.group')({ inputs: inputs as Scope['inputs'] });
  return { key: typeof key === 'string' ? key : JSON.stringify(key), limit, onConflict };
}

/** With the first text that it was given, so that runs of one workflow can be told apart. */
function titleOf(name: string, inputs: Readonly<Record<string, unknown>>): string {
  const text = Object.values(inputs).find((value) => typeof value === 'string' && value !== '');
  return text === undefined ? name : `${name}: ${text}`;
}

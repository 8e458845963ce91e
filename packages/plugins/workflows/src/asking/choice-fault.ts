import { type RunKindName, type Runs, ToolError } from '@nexus/plugin-sdk';
import { hintOf } from '../nearest.ts';

/** What is asked of another plugin, by a field of its kind of run. */
export interface Choice {
  readonly kind: RunKindName;
  readonly field: string;
  /** What people call it, such as an expert. */
  readonly word: string;
}

/** Why a name is none of those that the plugin says there are; undefined where it is one, or where it says none. */
export function choiceFault(
  runs: Pick<Runs, 'choices'>,
  { kind, field, word }: Choice,
  named: string,
): string | undefined {
  const names = runs.choices(kind)[field];
  if (names === undefined || names.includes(named)) return undefined;
  return `there is no ${word} "${named}"${hintOf(named, names)}`;
}

/**
 * Before anything is paid for that comes to it.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
export function assertChoice(runs: Pick<Runs, 'choices'>, choice: Choice, named: string | undefined): void {
  const fault = named === undefined ? undefined : choiceFault(runs, choice, named);
  if (fault !== undefined) throw new ToolError('NEXUS_INVALID_ARGUMENTS', fault);
}

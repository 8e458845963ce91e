import { ToolError } from '@nexus/plugin-sdk';
import { hasEnded } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import type { Departure } from './delivery.ts';

/** Why a run is no longer this process's, as far as the record tells. */
export function lossOf(status: RunRow['status'] | undefined): ToolError {
  if (status === 'cancelled') return new ToolError('NEXUS_CANCELLED', 'The run was cancelled.');
  if (status === 'failed') return new ToolError('NEXUS_TIMEOUT', 'The run is out of time.');
  if (status !== undefined && hasEnded(status)) return new ToolError('NEXUS_CANCELLED', 'The run is over.');
  return new ToolError('NEXUS_OUTCOME_UNKNOWN', 'Another process has taken the run over.');
}

type OfKind = Pick<RunRow, 'id' | 'kind' | 'version'>;

/** The code asks for other steps than are on record. */
export function departed({ id, kind, version }: OfKind, { missing, asked }: Departure): ToolError {
  const instead = asked === undefined ? 'ends without it' : `asks for "${asked}" instead`;
  const text = `The run has the step "${missing}" on record, and the code that goes on with it ${instead}: kind ${kind} was changed and kept its version ${version}. Bring the step back and resume the run, or do it again by \`nexus runs rerun ${id}\`.`;
  return new ToolError('NEXUS_RUN_CHANGED', text, { detail: { step: missing, asked } });
}

/** The code asks for a step otherwise than it is on record. */
export function changed({ id, kind, version }: OfKind, step: string, why: string): ToolError {
  const text = `The step "${step}" is on record ${why}: kind ${kind} was changed and kept its version ${version}. Bring it back and resume the run, or do it again by \`nexus runs rerun ${id}\`.`;
  return new ToolError('NEXUS_RUN_CHANGED', text, { detail: { step } });
}

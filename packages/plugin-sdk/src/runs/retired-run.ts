import { ToolError } from '../tool-error.ts';
import { defineRun, type FunctionKind, type RunKindName } from './run-kind.ts';

/**
 * A version of a kind that nothing goes on with any more, while runs of it may be on record: such a run ends with a
 * word on what to do, in the place of waiting for a server that will not come.
 */
export function retiredRun({ name, version }: RunKindName): FunctionKind<unknown, unknown, never> {
  return defineRun({
    name,
    version,
    async run(_: unknown, { id }): Promise<never> {
      const text = `Run ${id} was begun by an earlier version of Nexus (${name}, version ${version}), whose steps this one does not have. What it did is on record; ask for the work again, with the same arguments.`;
      throw new ToolError('NEXUS_RUN_CHANGED', text, { detail: { kind: name, version } });
    },
  });
}

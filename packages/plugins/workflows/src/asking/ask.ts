import { type GeneratedObject, type ModelCategory, modelCaller, type RunContext } from '@nexus/plugin-sdk';
import type { z } from 'zod';

export interface Asked<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly system: string;
  readonly prompt: string;
  readonly category?: ModelCategory;
  /** Of the step, for people. */
  readonly title: string;
}

/** A structured answer of a model as a step of the run, paid by its ledger. */
export function ask<Schema extends z.ZodType>(
  run: RunContext,
  name: string,
  { title, category = 'reasoning', ...request }: Asked<Schema>,
): Promise<GeneratedObject<z.output<Schema>>> {
  return run.step(
    name,
    ({ signal, idempotencyKey, ledger }) =>
      run.host.models.object(
        { ...request, category, ledger, idempotencyKey },
        { ...modelCaller(run), signal },
      ),
    { title },
  );
}

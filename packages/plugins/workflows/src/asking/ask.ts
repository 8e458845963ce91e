import { askModel, type GeneratedObject, type ModelCategory, type RunContext } from '@nexus/plugin-sdk';
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
  return askModel(run, name, { ...request, category, step: { title } });
}

import { capOptions } from '@nexus/plugin-sdk';
import { z } from 'zod';

export const expertsOptions = z.strictObject({
  allowTools: z
    .array(z.string().min(1).max(100))
    .max(500)
    .default([])
    .describe(
      'Tools that experts may call though they are not read-only; * stands for any characters, and a toolbox’s tool is meant by {toolbox}__{server}__{its server’s name}. Without it they only read.',
    ),
  denyTools: z
    .array(z.string().min(1).max(100))
    .max(500)
    .default([])
    .describe('Tools that experts never call; wins over allowTools, and over read-only.'),
  maxSteps: z
    .int()
    .min(1)
    .max(200)
    .default(25)
    .describe('How often one turn of an expert may ask its model.'),
  ...capOptions(z),
});

export type ExpertsOptions = z.output<typeof expertsOptions>;

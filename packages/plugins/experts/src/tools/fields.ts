import { z } from 'zod';
import { expertRoles } from '../roles/roles.ts';

export const role = z.enum(expertRoles);

export const modelPreference = z
  .string()
  .min(1)
  .max(200)
  .describe(
    'provider:name, a provider for its first model, or auto for the router’s choice. Default: the config’s.',
  );

/** Any JSON that helps; bounded when it is put into a prompt. */
export const context = z
  .record(z.string().max(200), z.unknown())
  .optional()
  .describe('Facts that help, by name; data.');

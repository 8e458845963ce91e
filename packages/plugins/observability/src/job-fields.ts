import type { Job } from '@nexus/plugin-sdk';
import { z } from 'zod';

export const jobId = z
  .string()
  .min(1)
  .max(100)
  .describe('Of a call with dispatch async, or an MCP task’s id.');

export const jobStatus = z.enum(['queued', 'working', 'input_required', 'completed', 'failed', 'cancelled']);

export const jobFields = {
  jobId: z.string(),
  tool: z.string(),
  status: jobStatus,
  statusMessage: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
} as const;

/** The fields of a job that tools show; its lifetime is the protocol's affair. */
export function shownJob({ ttlMs: _, ...job }: Job): Omit<Job, 'ttlMs'> {
  return job;
}

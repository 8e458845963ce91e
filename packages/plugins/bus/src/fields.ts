import { z } from 'zod';

/** Characters of JSON that a payload or a result may have. */
const MAX_JSON_CHARACTERS = 1_000_000;

const WORKER = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;

/** A name that makes a worker. */
export const newWorkerName = z.string().min(1).max(64).regex(WORKER);

/** A name of a worker there is already: one that is not answers with the nearest, so the pattern is left out. */
export const workerName = z.string().max(64);

export const callingWorker = workerName.describe('Your worker name.');

export const capabilities = z.array(z.string().max(64)).max(32);

export const taskId = z.string().max(64);

/** What a task belongs to: names between slashes, each part of the one before. */
export const taskLabel = z.string().min(1).max(100);

/** A task's own id is refused before it is looked for: as a lease it would look like one that fits. */
export const leaseId = z
  .string()
  .max(64)
  .refine(
    (id) => !id.startsWith('task_'),
    'this is a task’s id; give the leaseId that poll_task answered with the task',
  )
  .describe('From poll_task.');

export const outlivesSession = z
  .boolean()
  .default(false)
  .describe('Keep it, until its time, when your session ends.');

/** Any JSON value up to the stated size; null stands for nothing. */
export const json = z
  .unknown()
  .refine(
    (value) => value !== undefined && JSON.stringify(value).length <= MAX_JSON_CHARACTERS,
    `must be JSON of at most ${MAX_JSON_CHARACTERS} characters; null stands for nothing`,
  );

/** An ISO 8601 time of an answer. */
export const moment = z.string();

export function toMoment(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

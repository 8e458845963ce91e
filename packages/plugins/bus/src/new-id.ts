import { randomBytes } from 'node:crypto';

/** 64 random bits under a readable prefix, which tells a model what kind of id it holds. */
export function newId(kind: 'task' | 'lease' | 'message' | 'batch'): string {
  return `${kind}_${randomBytes(8).toString('hex')}`;
}

import { mayRetry } from '../annotations/hints.ts';
import type { RegisteredTool } from './registered-tool.ts';

/** Whether another server may make the call again after the one that ran it died in the middle of it. */
export function mayRunTwice({ hints, isResumable }: Pick<RegisteredTool, 'hints' | 'isResumable'>): boolean {
  return isResumable === true || mayRetry(hints);
}

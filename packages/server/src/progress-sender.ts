import { isRecord, type ProgressReport } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';

/** Where the progress of one request goes; undefined where its client asked for none. */
export type ProgressSender = (
  params: Members,
  /** Left out for what belongs to none of the client's requests any more. */
  requestId?: string | number,
) => ((report: ProgressReport & { readonly _meta?: Members }) => void) | undefined;

export function progressSender(
  send: (method: string, params: Members, relatedRequestId?: string | number) => void,
): ProgressSender {
  return (params, requestId) => {
    const progressToken = isRecord(params._meta) ? params._meta.progressToken : undefined;
    if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return undefined;
    return (report) => send('notifications/progress', { progressToken, ...report }, requestId);
  };
}

import type { Members } from '@nexus/core/json-rpc';
import type { Log } from '@nexus/plugin-sdk';

/**
 * What the servers behind this one list, as they list it, less what this server has itself by the same
 * key: that one answers. Where the list fails, the client still gets what is here.
 */
export async function listBehind(
  list: () => Promise<readonly Members[]>,
  { key, isOwn, log }: { key: string; isOwn: (value: string) => boolean; log: Log },
): Promise<readonly Members[]> {
  try {
    return (await list()).filter((each) => !isOwn(String(each[key])));
  } catch (error) {
    log.warn('a list of the servers behind this one could not be had', { key, err: error });
    return [];
  }
}

import { answerRoom, type CallContext, fittingTwice } from '@nexus/plugin-sdk';
import { begunAlone } from '@nexus/primitives';

/** What an answer says beside its entries, in characters of JSON. */
const BESIDE = 60;

/** As many entries as an answer holds, each whole; of one that none holds its beginning, and where all of it is. */
export function fitted<Item extends object>(items: readonly Item[], context: CallContext<unknown>) {
  const { results } = context.host;
  return begunAlone(fittingTwice(items, results), {
    room: answerRoom(results) / 2 - BESIDE,
    keep: async (text) => (await results.keep({ text, mimeType: 'application/json' }, context)).uri,
  });
}

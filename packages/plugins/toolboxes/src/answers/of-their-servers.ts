import { AnyText, OF_THEIR_SERVERS, soundsLikeNexus } from '@nexus/primitives';

/** What an answer says of the words of servers in it, where something of them could be taken for Nexus's own. */
export function ofTheirServers(...words: readonly unknown[]): { readonly whose?: string } {
  return new AnyText(soundsLikeNexus).isIn(words) ? { whose: OF_THEIR_SERVERS } : {};
}

import { AnyText, OF_ITS_STEPS, soundsLikeNexus } from '@nexus/primitives';

/** What is to be said before these, where something in them could be taken for Nexus's own word; else nothing. */
export function lineBefore(...said: readonly unknown[]): string | undefined {
  return new AnyText(soundsLikeNexus).isIn(said) ? OF_ITS_STEPS : undefined;
}

/** A text that a step gives to a person or a model, after whose words it is in where these sound like Nexus. */
export function inItsWords(text: string): string {
  const line = lineBefore(text);
  return line === undefined ? text : `${line}\n${text}`;
}

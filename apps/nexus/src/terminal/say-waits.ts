import { visibleLine } from '@nexus/untrusted/shown';

/** Says of a call's progress which servers it waits for: a first start may download one. That it runs goes without saying. */
export function sayWaits(say: (line: string) => void) {
  return ({ message }: Readonly<Record<string, unknown>>): void => {
    if (typeof message === 'string' && message.startsWith('waits for ')) say(visibleLine(message));
  };
}

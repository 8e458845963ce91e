import type { Label } from '@nexus/plugin-sdk';
import type { RegisteredTool } from '../registry/registered-tool.ts';

type Labelled = Pick<RegisteredTool, 'hints' | 'label' | 'isConduit' | 'origin' | 'isElsewhere'>;

/**
 * What a tool’s answers are by themselves. A server behind this one is not trusted; what it does without reaching out
 * it does with what is here, which is private.
 */
export function labelOf({ hints, label, origin }: Labelled): Label {
  const isForeign = origin !== undefined;
  const own: Label = {
    trust: isForeign || hints.openWorldHint ? 'untrusted' : 'trusted',
    privacy: isForeign && hints.openWorldHint ? 'public' : 'private',
  };
  return { ...own, ...label };
}

/**
 * Whether what a call is given may leave the machine by it: to read is enough, since a question says something too. A
 * server at another machine is reached out to by each call, and its own word does not change that.
 */
export function reachesOut({ hints, isConduit, isElsewhere }: Labelled): boolean {
  return isElsewhere === true || (hints.openWorldHint && isConduit !== true);
}

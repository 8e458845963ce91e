import type { ToolResult, ToolUse } from '@nexus/plugin-sdk';
import { canonicalJson } from '@nexus/primitives';

/** The same call with the same result may come this often; the next is not made. */
const MAX_SAME = 2;
/** Stopped this often, the model will not find another way. */
const MAX_STOPS = 3;

/** Sees that a model asks for the same again and again. A result that changed makes a call a new one. */
export interface LoopGuard {
  /** What to tell the model instead of calling; undefined when it may be called. */
  objection(use: ToolUse): string | undefined;
  seen(use: ToolUse, result: ToolResult): void;
  readonly isHopeless: boolean;
}

export function createLoopGuard(): LoopGuard {
  const calls = new Map<string, { result: string; times: number }>();
  let stops = 0;
  return {
    objection(use) {
      const times = calls.get(keyOf(use))?.times ?? 0;
      if (times < MAX_SAME) return undefined;
      stops += 1;
      return `Not called: ${use.name} was called ${times} times with exactly these arguments and answered the same. Use what it answered, ask for something else, or answer without it.`;
    },
    seen(use, { content }) {
      const result = JSON.stringify(content);
      const before = calls.get(keyOf(use));
      calls.set(keyOf(use), { result, times: before?.result === result ? before.times + 1 : 1 });
    },
    get isHopeless() {
      return stops >= MAX_STOPS;
    },
  };
}

/** The same arguments in another order are the same. */
function keyOf({ name, input }: ToolUse): string {
  return `${name} ${canonicalJson(input)}`;
}

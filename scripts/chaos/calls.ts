import { type ModelEndpoint, modelEndpoint } from '@nexus/testing';
import { answerOf, delayOf, markIn, type Pace } from './team.ts';

/** One call of a model, as its endpoint saw it. */
export interface Call {
  readonly key: string;
  readonly mark: string;
  /** Whose server made it. */
  readonly place: string;
  /** On the clock of {@link now}. */
  readonly askedAt: number;
  /** When its last byte was sent to a caller who was still there. */
  answeredAt?: number;
  tokens?: number;
}

/** Milliseconds on the one clock of a campaign: calls and faults are compared by it. */
export const now = () => performance.now();

export interface CallLog {
  readonly calls: readonly Call[];
  /** An endpoint of its own for the servers of a place, so that it is known who asked. */
  open(place: string): Promise<ModelEndpoint>;
}

/** Models on loopback that keep a log of every call, by its idempotency key. */
export function createCallLog(pace: Pace, onAnswered: (call: Call) => void = () => {}): CallLog {
  const calls: Call[] = [];
  return {
    calls,
    open(place) {
      const open = new Map<object, Call>();
      return modelEndpoint(
        (seen) => {
          const call = {
            key: String(seen.headers['idempotency-key']),
            mark: markIn(seen),
            place,
            askedAt: now(),
          };
          calls.push(call);
          open.set(seen, call);
          const until = new Promise((resolve) => setTimeout(resolve, delayOf(seen, pace)));
          return { ...answerOf(seen), until };
        },
        {
          onAnswered(seen, { input, output }) {
            const call = open.get(seen);
            if (!call) return;
            Object.assign(call, { answeredAt: now(), tokens: input + output });
            onAnswered(call);
          },
        },
      );
    },
  };
}

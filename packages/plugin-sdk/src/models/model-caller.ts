import type { CallContext } from '../context.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { ModelCaller } from './generate.ts';

/**
 * Who asks the models of a run that a call started (`beginRun`): the client that waits for it lends its own
 * model as long as it is there. In a step, `{ ...modelCaller(run), signal: step.signal }`.
 */
export function modelCaller({ signal, live }: Pick<RunContext, 'signal' | 'live'>): ModelCaller {
  const call = live as CallContext | undefined; // as `beginRun` lends it
  if (!call) return { signal };
  return { signal, sampling: call.sampling, sample: (request) => call.sample(request) };
}

import type { CallContext, ModelCaller, RunContext } from '@nexus/plugin-sdk';

/** Who asks the models of a run: the client that waits for it lends its own model as long as it is there. */
export function modelCaller({ signal, live }: RunContext): ModelCaller {
  const call = live as CallContext | undefined; // what the tools of this plugin start runs with
  if (!call) return { signal };
  return { signal, sampling: call.sampling, sample: (request) => call.sample(request) };
}

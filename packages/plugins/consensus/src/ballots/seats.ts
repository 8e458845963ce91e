import { type ModelCaller, type RunContext, ToolError } from '@nexus/plugin-sdk';
import type { ConsensusOptions } from '../options.ts';
import type { VoterName } from '../voters/voters.ts';
import { distinctModels, spread } from './spread.ts';

/** A run whose config names the models to ask. */
type Asking = RunContext<{ readonly options: ConsensusOptions }>;

export interface Seat {
  readonly voter: VoterName;
  readonly model: string;
}

/** Who votes on which model. */
export function seatPanel(models: readonly string[], panel: readonly VoterName[]): readonly Seat[] {
  const seats = spread(models, panel.length);
  return panel.map((voter, at) => ({ voter, model: seats[at] as string })); // as many as voters
}

/**
 * The distinct models there are, as the config allows them; settled once, so that a run that goes on asks those
 * that it began with.
 * @throws {ToolError} NEXUS_NO_MODEL
 */
export function modelsOf(run: Asking): Promise<readonly string[]> {
  return run.step('models', async (step) => {
    const there = distinctModels(await run.host.models.list(step), run.state.options.models);
    if (there.length === 0) throw await noModel(run, step);
    return there;
  });
}

/** As the models' own service says it, unless the config names models that are not there. */
async function noModel(run: Asking, caller: ModelCaller): Promise<ToolError> {
  await run.host.models.route({}, caller);
  const text = `No model that was found fits consensus.models (${run.state.options.models.join(', ')}); \`nexus models\` lists what there is.`;
  return new ToolError('NEXUS_NO_MODEL', text);
}

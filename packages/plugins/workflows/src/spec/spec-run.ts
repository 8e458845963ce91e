import { defineRun, type RunContext, ToolError } from '@nexus/plugin-sdk';
import { ask } from '../asking/ask.ts';
import { levelsOf } from './order.ts';
import { ANALYST, requirementsAgainPrompt, requirementsPrompt } from './prompts.ts';
import { Requirements, requirementFaults, soundRequirements } from './requirements.ts';
import type { SpecOutput } from './spec-output.ts';
import { specWorkRun } from './work-run.ts';

export interface SpecInput {
  readonly spec: string;
}

/** Takes a specification apart, has each requirement done and judged, and says of each whether it is met. */
export const specRun = defineRun({
  name: 'workflows.spec',
  version: 1,
  async run({ spec }: SpecInput, run: RunContext): Promise<SpecOutput> {
    const sound = soundRequirements(spec, await readRequirements(spec, run));
    const { requirements, leftOut, broken, uncovered } = sound;
    if (requirements.length === 0) {
      const text =
        'Of what the model made of the specification, nothing stands in it. Choose another model, or write plainer what must hold.';
      throw new ToolError('NEXUS_MODEL_OUTPUT', text, { detail: { leftOut } });
    }
    run.progress(`works on ${requirements.length} requirements`);
    const done = await run.child(
      'work',
      specWorkRun,
      { requirements },
      { title: 'the requirements', live: run.live },
    );
    return {
      requirements: done,
      dag: { levels: levelsOf(requirements), broken },
      leftOut,
      uncovered,
    };
  },
});

/** As the model says, told once what does not hold. */
async function readRequirements(spec: string, run: RunContext): Promise<Requirements> {
  const prompt = requirementsPrompt(spec);
  const request = { schema: Requirements, system: ANALYST, title: 'reads the specification' };
  const first = await ask(run, 'requirements', { ...request, prompt });
  const faults = requirementFaults(spec, first.value);
  if (faults.length === 0) return first.value;
  const again = requirementsAgainPrompt(prompt, first.value, faults);
  return (await ask(run, 'requirements again', { ...request, prompt: again, title: 'reads it again' })).value;
}

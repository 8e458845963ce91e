import { defineRun, expertTurn, type RunContext, ToolError } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { ask } from '../asking/ask.ts';
import type { Room } from '../reading/room.ts';
import type { WorkflowsState } from '../state.ts';
import { bringAbout, type SpecWork } from './bring-about.ts';
import { settleContradictions } from './contradictions.ts';
import { levelsOf } from './order.ts';
import { ANALYST, requirementsAgainPrompt, requirementsPrompt } from './prompts.ts';
import { proveMet } from './prove-met.ts';
import { requirementsBy } from './requirements.ts';
import type { SpecOutput } from './spec-output.ts';
import { specWorkRun } from './work-run.ts';

export interface SpecInput {
  readonly spec: string;
  /** What is not met is done, and where; without it, it is only said. */
  readonly work?: SpecWork;
}

/** Takes a specification apart, has each requirement done and judged, and says of each whether it is met. */
export const specRun = defineRun({
  name: 'workflows.spec',
  version: 6,
  async run({ spec, work }: SpecInput, run: RunContext<WorkflowsState>): Promise<SpecOutput> {
    const read = run.state.room.visit(run);
    const sound = await read('soundRequirements', { spec, drafted: await readRequirements(spec, run, read) });
    const { requirements, leftOut, broken, uncovered } = sound;
    if (requirements.length === 0) {
      const text =
        'Of what the model made of the specification, nothing stands in it. Choose another model, or write plainer what must hold.';
      throw new ToolError('NEXUS_MODEL_OUTPUT', text, { detail: { leftOut, refusedStep: 'requirements' } });
    }
    run.progress(`works on ${counted(requirements.length, 'requirement')}`);
    const done = await run.child('work', specWorkRun, { requirements }, { title: 'the requirements' });
    const { reports, contradictions } = await settleContradictions(done, run);
    const proved = await proveMet(reports, run);
    const brought = work === undefined ? { requirements: proved } : await bringAbout(proved, work, run);
    return {
      ...brought,
      contradictions,
      dag: { levels: levelsOf(requirements), broken },
      leftOut,
      uncovered,
    };
  },
});

/** As the model says, told once what does not hold. */
async function readRequirements(spec: string, run: RunContext, read: ReturnType<Room['visit']>) {
  const prompt = requirementsPrompt(spec);
  const schema = requirementsBy(run.host.runs.choices(expertTurn).role);
  const request = { schema, system: ANALYST, title: 'reads the specification' };
  const first = await ask(run, 'requirements', { ...request, prompt });
  const faults = await read('requirementFaults', { spec, drafted: first.value });
  if (faults.length === 0) return first.value;
  const again = requirementsAgainPrompt(prompt, first.value, faults);
  return (await ask(run, 'requirements again', { ...request, prompt: again, title: 'reads it again' })).value;
}

import type { z } from 'zod';
import type { RunContext, StepOptions } from '../runs/run-context.ts';
import { isToolError, type ToolError } from '../tool-error.ts';
import { aboutProject } from './about-project.ts';
import { type DurableSteps, durableSteps } from './durable-steps.ts';
import type { GeneratedObject, ModelCaller, ObjectRequest, Reading } from './generate.ts';
import { readingTools } from './reading-kit.ts';

/** What a step of a run asks a model; who pays, and under which key, the step knows. */
export type AskModel<Schema extends z.ZodType> = Omit<
  ObjectRequest<Schema>,
  'ledger' | 'idempotencyKey' | 'onEvent' | 'reading'
>;

interface AskInStep<Schema extends z.ZodType, Kept> {
  readonly step?: StepOptions;
  /** What the step comes to, as plain JSON; by default the answer. A change of it is a change of the run's version. */
  readonly keep?: (answer: GeneratedObject<z.output<Schema>>) => Kept;
  /**
   * Model calls, at most, in which it may read the project with the reading kit before it answers. Each call of the
   * model and of a tool is then a step of its own.
   */
  readonly maxReadingSteps?: number;
}

/**
 * Asks a model for an answer that fits a schema, as one durable step: paid from the run's budget, on record when it
 * arrives, asked again by the step's policy only. With an answer from the record the model is not reached. The
 * model is told of the project first, in the same words whoever asks, so that a provider's cache knows them.
 * @throws {ToolError} as `Models.object`
 */
export async function askModel<
  Schema extends z.ZodType,
  Kept extends object = GeneratedObject<z.output<Schema>>,
>(
  run: RunContext,
  name: string,
  { step: options, keep, maxReadingSteps: maxSteps, ...request }: AskModel<Schema> & AskInStep<Schema, Kept>,
): Promise<Kept> {
  const ask = async (caller: ModelCaller, reading?: Reading) => {
    const system = await aboutProject(run.host, request.system);
    const asked = { ...request, system, ...(reading && { reading }) } as ObjectRequest<Schema>;
    const answer = await run.host.models.object(asked, caller);
    return keep ? keep(answer) : (answer as object as Kept); // without `keep` it is the answer's own type
  };
  const tools = maxSteps === undefined ? [] : await readingTools(run, `${name} kit`);
  if (maxSteps === undefined || tools.length === 0) return run.step(name, (step) => ask(step), options);
  const steps = durableSteps(run, { prefix: `${name} `, isRepeatable: () => true, ...modelSteps(options) });
  return ask(run, { tools, maxSteps, steps });
}

function modelSteps(options: StepOptions | undefined): Pick<DurableSteps, 'model'> {
  const { title, retry, timeoutMs } = options ?? {};
  return {
    model: {
      ...(title === undefined ? {} : { title }),
      ...(retry === undefined ? {} : { retry }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    },
  };
}

/** As `askModel`; a failure of the model is an answer too: it costs this one, and not the run. */
export async function tryModel<
  Schema extends z.ZodType,
  Kept extends object = GeneratedObject<z.output<Schema>>,
>(
  run: RunContext,
  name: string,
  request: AskModel<Schema> & AskInStep<Schema, Kept>,
): Promise<Kept | { readonly failure: ToolError }> {
  try {
    return await askModel(run, name, request);
  } catch (error) {
    if (!isToolError(error) || !isOfModel(error)) throw error;
    return { failure: error };
  }
}

/** Whether an error is a model's own, or that of the time it was given; any other is the run's. */
function isOfModel({ code }: ToolError): boolean {
  return code.startsWith('NEXUS_MODEL_') || code === 'NEXUS_NO_MODEL' || code === 'NEXUS_TIMEOUT';
}

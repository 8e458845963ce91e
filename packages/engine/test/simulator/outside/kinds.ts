import { ERROR_META_KEY } from '@nexus/core';
import {
  defineRun,
  isToolError,
  type RunContext,
  type StepContext,
  type ToolCaller,
  type ToolCallResult,
  ToolError,
} from '@nexus/plugin-sdk';
import type { SimulatedProcess } from '../ground/process.ts';
import type { Endpoints } from './endpoints.ts';
import { type Act, answerAt, type Program } from './program.ts';

export const PROGRAM = { name: 'simulated.program', version: 1 } as const;
/** The same, whose work lies on a machine. */
const BOUND = { name: 'simulated.bound', version: 1 } as const;

/** The same, of a plugin that servers may be without. */
export const GUEST = { name: 'simulated.guest', version: 1 } as const;

export interface ProgramInput {
  readonly program: Program;
  /** Whose work it is part of. */
  readonly errand: number;
  /** Where in the errand it stands, in worlds that ask for that: the same whatever run does it. */
  readonly at?: string | undefined;
  readonly isBound?: boolean | undefined;
  readonly isGuest?: boolean | undefined;
}

export function kindOf({ isBound, isGuest }: ProgramInput) {
  if (isGuest) return GUEST;
  return isBound ? BOUND : PROGRAM;
}

/** How many tokens a call of a model is held to cost before it is made. */
const ESTIMATE_FACTOR = 3;

/** The kinds that all runs of the simulator are of: what they do is their input. */
export function programKinds(processOf: () => SimulatedProcess, endpoints: Endpoints) {
  async function run(input: ProgramInput, context: RunContext): Promise<unknown[]> {
    const said = await perform(input, '', context);
    const broken = brokenIn(said);
    if (broken > 0) throw new ToolError('NEXUS_TOOL_FAILED', `${broken} of what it does is broken.`);
    return said;
  }
  return [
    defineRun({ ...PROGRAM, run }),
    defineRun({ ...BOUND, place: 'machine', run }),
    defineRun({ ...GUEST, run }),
  ];

  async function perform(input: ProgramInput, path: string, context: RunContext): Promise<unknown[]> {
    const said: unknown[] = [];
    for (const [at, act] of input.program.entries()) {
      said.push(await play(act, path === '' ? `${at}` : `${path}.${at}`, { context, input }));
    }
    return said;
  }

  async function play(
    act: Act,
    path: string,
    { context, input }: { readonly context: RunContext; readonly input: ProgramInput },
  ): Promise<unknown> {
    const { errand } = input;
    const place = placeIn(input, path);
    const within = { errand, ...(place === undefined ? {} : { at: place }) };
    switch (act.act) {
      case 'model':
        return context.step(path, (step) => askModel(act, path, { step, runId: context.id, place }), {
          input: { tokens: act.tokens },
          retry: {
            attempts: 4,
            delayMs: 100,
            isRetryable: (error) => isToolError(error) && error.code === 'NEXUS_MODEL_RATE_LIMITED',
          },
        });
      case 'effect':
        return context
          .step(
            path,
            ({ idempotencyKey: key, signal }) =>
              endpoints.effect(processOf(), { key, ms: act.ms, signal, place }),
            {
              input: { path },
              isRepeatable: false,
            },
          )
          .catch((error: unknown) => {
            if (!act.isTold && isToolError(error) && error.code === 'NEXUS_OUTCOME_UNKNOWN') return 'unknown';
            throw error;
          });
      case 'sleep':
        await context.sleep(path, act.ms);
        return null;
      case 'ask':
        return context.ask(path, {
          message: `What of ${path}?`,
          requestedSchema: { type: 'object', properties: { value: { type: 'string' } }, required: ['value'] },
          ...(act.timeoutMs === undefined ? {} : { timeoutMs: act.timeoutMs }),
          ...(act.isAbout ? { subject: { path } } : {}),
        });
      case 'value':
        await context.uuid(path);
        return null;
      case 'event':
        await context.event(path, { path });
        return null;
      case 'breaks':
        return context
          .step(path, () => {
            if (endpoints.isBroken(place ?? path, act.times))
              throw new ToolError('NEXUS_TOOL_FAILED', BROKEN);
            return null;
          })
          .catch((error: unknown) => {
            if (isToolError(error) && error.message === BROKEN) return BROKEN;
            throw error;
          });
      case 'together':
        return context.parallel(
          act.ways.map((program, at) => () => perform({ ...input, program }, `${path}.${at}`, context)),
        );
      case 'child':
        return context.child(
          path,
          (act.isGuest ? GUEST : PROGRAM) as never,
          { program: act.program, ...within } as never,
        );
      case 'call':
        return context.step(path, ({ tools }) => callTool(tools, act, within));
    }
  }

  async function askModel(
    act: Act & { act: 'model' },
    path: string,
    {
      step,
      runId,
      place,
    }: { readonly step: StepContext; readonly runId: string; readonly place: string | undefined },
  ): Promise<string> {
    const { ledger, idempotencyKey: key, signal } = step;
    const wasOwner = endpoints.isOwner(processOf(), runId);
    const estimate = { tokens: act.tokens * ESTIMATE_FACTOR, costUsd: 0 };
    const reservation = await ledger.reserve(estimate, 'a model', { path });
    if (reservation.answer) return reservation.answer.value as string; // of a settle below
    let isAsked = false;
    try {
      if (reservation.arrived) {
        const text = reservation.arrived.value as string; // of a keep below
        await reservation.settle({ tokens: act.tokens, costUsd: 0 }, text);
        return text;
      }
      await reservation.confirm();
      isAsked = true;
      const text = await endpoints.ask(processOf(), {
        key,
        runId,
        place,
        tokens: act.tokens,
        ms: act.ms,
        text: answerAt(path, act.isLong ?? false),
        failures: act.failures ?? 0,
        wasOwner,
        signal,
      });
      reservation.keep?.(text);
      if (act.afterMs !== undefined) await endpoints.work(processOf(), act.afterMs);
      await reservation.settle({ tokens: act.tokens, costUsd: 0 }, text);
      return text;
    } catch (error) {
      // As a call that came to nothing is settled, or was interrupted.
      await reservation.settle({ tokens: 0, costUsd: 0, isUnknown: isAsked && signal.aborted });
      throw error;
    }
  }

  async function callTool(
    tools: ToolCaller,
    { program, isJob }: Act & { act: 'call' },
    within: Pick<ProgramInput, 'errand' | 'at'>,
  ): Promise<unknown> {
    const result = await tools.call(isJob ? 'job' : 'run', { arguments: { program, ...within } });
    return outcomeOf(result);
  }
}

const BROKEN = 'It is broken.';

/** In a run itself: one below it that has such is none that says so. */
function brokenIn(said: unknown): number {
  if (Array.isArray(said)) return said.reduce((sum: number, each) => sum + brokenIn(each), 0);
  return said === BROKEN ? 1 : 0;
}

/** By where it stands in its errand, a step is the same in whatever run it is done. */
export function placeIn({ errand, at }: Pick<ProgramInput, 'errand' | 'at'>, path: string) {
  return at === undefined ? undefined : `${at || errand}/${path}`;
}

function outcomeOf(result: ToolCallResult): unknown {
  if (result.isError) {
    const { code } = Object(result._meta?.[ERROR_META_KEY]) as { code?: string };
    const isUnknown = code === 'NEXUS_OUTCOME_UNKNOWN';
    throw new ToolError(
      isUnknown ? code : 'NEXUS_TOOL_FAILED',
      result.content[0]?.text ?? 'The call failed.',
    );
  }
  return (result.structuredContent as { said?: unknown } | undefined)?.said;
}

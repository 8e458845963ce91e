import { ERROR_META_KEY, type ErrorEnvelope } from '@nexus/core';
import { isToolError, type ToolCallResult } from '@nexus/plugin-sdk';
import type { Errand } from '../scenario.ts';
import { ask, isPassing, LOST, type Outside, PATIENCE_MS, somebody } from './asking.ts';
import { outputFault } from './program.ts';
import { runAgain } from './reruns.ts';
import { type Call, callAsJob, callRun } from './tools.ts';

/** Somebody outside who wants an errand done, and asks again until it is. */
export async function runErrand(errand: Errand, outside: Outside, cancelled: Set<number>): Promise<void> {
  const { world } = outside;
  const { program, isBound, isGuest } = errand;
  let cap = errand.capTokens;
  let runId: string | undefined;
  await world.wait(errand.atMs, undefined, 'errand');
  if (errand.cancelAfterMs !== undefined) {
    world.at(errand.cancelAfterMs, undefined, 'cancels', () => {
      cancelled.add(errand.id);
      void cancel();
    });
  }
  for (;;) {
    const process = await somebody(outside, ({ isWhole }) => isWhole || !errand.isGuest);
    const call = (signal: AbortSignal): Call => ({
      input: { program, errand: errand.id, isBound, isGuest },
      key: errand.isKeyed ? `errand-${errand.id}` : undefined,
      run: undefined,
      signal,
      capTokens: errand.capTokens,
      onStarted: (id) => {
        runId = id;
      },
    });
    const said = await ask(
      outside,
      process,
      (signal) => (errand.how === 'job' ? callAsJob(process, call(signal)) : callRun(process, call(signal))),
      PATIENCE_MS,
    );
    const verdict = judge(said as ToolCallResult | Error | typeof LOST);
    if (verdict === 'done') {
      if (errand.rerunFrom !== undefined && runId !== undefined) await runAgain(errand, runId, outside);
      return;
    }
    if (verdict === 'again' && !errand.isKeyed) return; // nobody knows whether it began; what began is to end all the same
    if (verdict === 'again') {
      await world.wait(outside.chance.between(100, 1_000), undefined, 'asks again');
      continue;
    }
    if (cancelled.has(errand.id)) return;
    if (verdict.code === 'NEXUS_BUDGET_EXCEEDED' && cap !== undefined && verdict.runId !== undefined) {
      cap = Math.round(cap * 2 + 300);
      await raise(verdict.runId, cap);
      if (!errand.isKeyed) return;
      continue;
    }
    if (verdict.code === 'NEXUS_CRASHED') return; // judged by the record
    if (verdict.code === 'NEXUS_NOT_FOUND' && outside.isSwept) return;
    world.wrong(`errand ${errand.id} came to ${verdict.code}: ${verdict.message}`);
    return;
  }

  /** Who has cancelled it, and is told that nobody knows what was done by then, has to look and not to ask. */
  function isToBeAsked(code: string): boolean {
    return isPassing(code) && !(code === 'NEXUS_OUTCOME_UNKNOWN' && cancelled.has(errand.id));
  }

  function judge(
    said: ToolCallResult | Error | typeof LOST,
  ): 'done' | 'again' | { code: string; message: string; runId?: string } {
    if (said === LOST) return 'again';
    if (said instanceof Error) {
      const code = isToolError(said) ? said.code : 'none';
      return isToBeAsked(code) ? 'again' : { code, message: said.message };
    }
    if (!said.isError) {
      const fault = outputFault(
        errand.program,
        (said.structuredContent as { said?: unknown } | undefined)?.said,
      );
      if (fault) world.wrong(`errand ${errand.id}: ${fault}`);
      return 'done';
    }
    const envelope = said._meta?.[ERROR_META_KEY] as ErrorEnvelope | undefined;
    const code = envelope?.code ?? 'none';
    if (isToBeAsked(code)) return 'again';
    const id = (envelope?.detail as { runId?: string } | undefined)?.runId;
    return {
      code,
      message: envelope?.message ?? said.content[0]?.text ?? '',
      ...(id === undefined ? {} : { runId: id }),
    };
  }

  async function raise(id: string, tokens: number): Promise<void> {
    for (let tries = 0; tries < 20; tries += 1) {
      const process = await somebody(outside);
      const said = await ask(
        outside,
        process,
        () => process.engine.runs.resume(id, { cap: { tokens } }),
        PATIENCE_MS,
      );
      if (said !== LOST && !(said instanceof Error)) return;
      if (isToolError(said) && said.code === 'NEXUS_CONFLICT') return; // it ended meanwhile
      await world.wait(500, undefined, 'resumes again');
    }
  }

  async function cancel(): Promise<void> {
    for (;;) {
      const id = runId;
      const process = await somebody(outside);
      if (id !== undefined) {
        const said = await ask(
          outside,
          process,
          () =>
            (id.startsWith('job')
              ? process.engine.jobs.cancel(id)
              : process.engine.runs.cancel(id)) as Promise<unknown>,
          PATIENCE_MS,
        );
        if (said !== LOST && !(said instanceof Error)) return;
      }
      await world.wait(500, undefined, 'cancels again');
    }
  }
}

/** Somebody who answers a question: late, twice, or first as it is not to be answered. */
export async function answerQuestion(
  outside: Outside,
  question: { readonly runId: string; readonly name: string; readonly digest: string | undefined },
): Promise<void> {
  const { world, chance } = outside;
  const { runId, name, digest } = question;
  const answer = { action: 'accept' as const, content: { value: name } };
  let times = chance.is(0.3) ? 2 : 1;
  let isWrongFirst = digest !== undefined && chance.is(0.5);
  await world.wait(chance.pick([chance.between(1, 50), chance.between(50, 8_000)]), undefined, 'person');
  while (times > 0) {
    const process = await somebody(outside);
    const given = isWrongFirst ? undefined : digest;
    const said = await ask(
      outside,
      process,
      () =>
        process.engine.runs.answer(runId, answer, {
          question: name,
          ...(given === undefined ? {} : { digest: given }),
        }),
      PATIENCE_MS,
    );
    if (said === LOST || (isToolError(said) && said.code !== 'NEXUS_CONFLICT')) {
      if (isToolError(said) && said.code === 'NEXUS_NOT_FOUND') return;
      await world.wait(300, undefined, 'answers again');
      continue;
    }
    if (isWrongFirst) {
      isWrongFirst = false;
      if (!(said instanceof Error)) world.wrong(`the question ${name} took an answer to something else`);
      continue;
    }
    times -= 1;
  }
}

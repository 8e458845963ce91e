import { assertQuestion } from '@nexus/core/forms';
import type {
  Answer,
  ChildOptions,
  Host,
  ModelUsage,
  Question,
  RunContext,
  RunKindName,
  StepOptions,
} from '@nexus/plugin-sdk';
import { createChild } from '../record/children.ts';
import { newRunId } from '../record/creating.ts';
import { fromStoredError, readError } from '../record/errors.ts';
import { WITH_FAMILY_MS } from '../record/forgetting.ts';
import { isUntold } from '../record/kept-steps.ts';
import { askQuestion, expireQuestion } from '../record/questions.ts';
import type { RunSpans } from '../record/run-spans.ts';
import { spendingUnder } from '../record/spending.ts';
import { beginWait, type EndedStep, endStep, keepValue, toKept } from '../record/steps.ts';
import type { StepRow } from '../record/tables.ts';
import { digestOf, fromStored } from '../record/values.ts';
import { stepTitle } from '../views/step-title.ts';
import { assertChoices } from './assert-choices.ts';
import type { RunInstance } from './run-instance.ts';
import { never } from './run-writer.ts';
import { runAll, settleAll } from './side-by-side.ts';
import { assertNoLoop, doStep, type StepWork, untilDue } from './step-work.ts';

export interface ContextValues {
  readonly state: unknown;
  readonly host: Host;
  readonly definition: unknown;
}

/** What does nothing but to wait for something else. */
const WAITS: ReadonlySet<StepRow['kind']> = new Set(['child', 'sleep', 'question']);

/** How often it is looked whether a run that somebody else goes on with is over. */
const ELSEWHERE_MS = 1_000;

/** What costs nothing to be done again. */
const CHEAP = { isCheap: true };

/** What the function of a run works with, on one instance of it. */
export function createRunContext(instance: RunInstance, values: ContextValues): RunContext {
  const { delivery, services, token, run, writer } = instance;
  const { on, log } = services;
  const counts = new Map<string, number>();
  const at = (level: keyof typeof log) => (message: string, fields?: Readonly<Record<string, unknown>>) =>
    log[level](message, { run: run.id, ...fields });

  /** A step by its name: from the record, or by `begin`, which gets what is on record of it. */
  async function named(
    name: string,
    kind: StepRow['kind'],
    begin: (row: StepRow | undefined) => Promise<unknown>,
  ): Promise<unknown> {
    instance.asked.claimName(name);
    const row = instance.history.get(name);
    if (row && row.kind !== kind)
      return instance.refuseStep(name, `as a ${row.kind} and asked for as a ${kind}`);
    let over: ReturnType<RunSpans['began']>;
    const start = () => {
      if (instance.beginsNothing) return;
      if (WAITS.has(kind)) {
        const step = { name, title: row?.title ?? name, kind, attempt: 1 };
        over = on.spans?.began(run, step, row && Number(row.started_at));
      }
      const work = row && isUntold(row) ? instance.takeEnd(row) : begin(row);
      work.catch((error: unknown) => delivery.fail(name, error));
    };
    const ended = await delivery.outcome(name, row && row.end_seq !== null ? undefined : start);
    const failed = readError(ended.error);
    over?.(failed && fromStoredError(failed));
    return outcomeOf(ended);
  }

  async function outcomeOf(row: EndedStep): Promise<unknown> {
    const error = readError(row.error);
    if (error) throw fromStoredError(error);
    // Not on record yet, where the run was told ahead.
    if (row.blob) return JSON.parse(row.blob.content);
    return delivery.reading(() => fromStored(on.db, run.id, row.output));
  }

  function numbered(name: string | undefined, kind: string): string {
    if (name !== undefined) return name;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${kind}-${count}`;
  }

  /** What it is to go on with may be gone on with by somebody else: then that comes first. */
  async function untilThere<Made>(name: string, make: () => Promise<Made | undefined>): Promise<Made> {
    for (;;) {
      const made = await make();
      if (made !== undefined) return made;
      await instance.doing.working(name, async () => {
        await new Promise<void>((resolve) => on.ground.after(ELSEWHERE_MS, resolve).unref());
      });
      if (instance.beginsNothing) return never();
    }
  }

  /** The same as in a run before: else what is made of it would ask for something else. */
  const sameValue = (name: string, make: () => unknown) =>
    value(name, async () => {
      const before = await instance.valueBefore(name);
      return before ? before.value : make();
    });

  const value = (name: string, make: () => unknown) =>
    named(name, 'value', async () => {
      const made = await make();
      await writer.end((seq) => keepValue(on, token, { kind: 'value', name, seq, value: made }), CHEAP);
    });

  return {
    id: run.id,
    user: run.user_id ?? undefined,
    ...values,
    signal: instance.signal,
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    async step<Output>(name: string, work: StepWork, options: StepOptions = {}) {
      assertNoLoop(instance, options);
      const row = instance.history.get(name);
      const digest = options.input === undefined ? null : digestOf(options.input);
      if (row && row.digest !== null && row.digest !== digest) {
        return instance.refuseStep(name, 'with other input');
      }
      return (await named(name, 'step', () => doStep(instance, { name, work, options, row }))) as Output;
    },
    parallel: runAll,
    settle: settleAll,
    async child<Input, Output>(name: string, kind: RunKindName, input: Input, options: ChildOptions = {}) {
      const { title = stepTitle({ name, title: name }), definition, timeoutMs } = options;
      const id = newRunId(on.ground);
      return (await named(name, 'child', async (row) => {
        if (!row) {
          const known = services.kindOf(kind);
          assertChoices(known, input);
          const owner = known ? token.owner : undefined;
          const { name: kindName, version } = kind;
          const make = () =>
            writer.write((seq) =>
              createChild(on, token, {
                run: {
                  id,
                  kind: kindName,
                  version,
                  title,
                  input,
                  definition,
                  timeoutMs,
                  keepMs: WITH_FAMILY_MS,
                  owner,
                },
                step: { name, title, seq },
              }),
            );
          const made = await untilThere(name, make);
          services.onRecorded(run.id);
          if (made.run.owner === token.owner) services.adoptChild(made);
        }
        await instance.awaits(name);
      })) as Output;
    },
    async sleep(name, ms) {
      await named(name, 'sleep', async (row) => {
        const title = stepTitle({ name, title: name });
        const wait = { name, title, kind: 'sleep' as const, attempt: 1, ms };
        if (!row) await writer.write((seq) => beginWait(on, token, { ...wait, seq }));
        services.onRecorded(run.id);
        await untilDue(instance, name, { firstMs: row ? undefined : ms });
        const outcome = toKept({ output: undefined });
        await writer.end((seq) => endStep(on, token, { name, attempt: 1, seq, outcome }), CHEAP);
      });
    },
    async ask(name, question: Question) {
      return (await named(name, 'question', async (row) => {
        if (!row) {
          assertQuestion(question);
          await writer.write((seq) => askQuestion(on, token, { name, seq, question }));
        }
        services.onRecorded(run.id);
        await instance.awaits(name);
        if (question.timeoutMs !== undefined) await expire(question.timeoutMs, row === undefined);
      })) as Answer;

      async function expire(ms: number, isNew: boolean): Promise<void> {
        const sooner = instance.doing.untilAnswered(name);
        if (!(await untilDue(instance, name, { firstMs: isNew ? ms : undefined, sooner }))) return;
        await writer.write(() => expireQuestion(on, token, name));
        await instance.look();
      }
    },
    now: async (name) =>
      (await sameValue(numbered(name, 'now'), () => writer.read(() => on.store.readNow(on.db)))) as number,
    random: async (name) => (await sameValue(numbered(name, 'random'), on.ground.random)) as number,
    uuid: async (name) => (await sameValue(numbered(name, 'uuid'), on.ground.uuid)) as string,
    progress: (...report) => instance.progress(...report),
    usage: async (name) => {
      const of = { rootId: run.root_id, runId: run.id };
      const read = () => writer.read(async () => (await spendingUnder(on.db, of)).usage);
      return (await value(numbered(name, 'usage'), read)) as ModelUsage;
    },
    async event(name, data) {
      await named(name, 'event', async () => {
        await writer.end(
          (seq) => keepValue(on, token, { kind: 'event', name, seq, type: name, value: data }),
          CHEAP,
        );
        services.onRecorded(run.id);
      });
    },
  };
}

import { type RunContext, type ToolCaller, ToolError } from '@nexus/plugin-sdk';
import { called } from './call-tool.ts';

/** From the first look on, each pause twice the one before it. */
const FIRST_LOOK_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** What is waited for has not come: the run looks again. */
class NotYet extends Error {}

interface Limit {
  /** How long at most; then the wait has failed. */
  readonly limitMs: number | undefined;
}

/** What a task of the bus is in the end. */
const OVER = ['done', 'dead', 'cancelled'];

/** Waits until a task of the bus is done, given up or cancelled. */
export function awaitTask(
  run: RunContext,
  { task, limitMs }: { readonly task: string } & Limit,
): Promise<unknown> {
  return look(run, { what: `task ${task}`, limitMs }, async (tools) => {
    const { tasks, detail } = await structured<TaskAnswer>(tools, 'task_status', { taskId: task });
    const status = tasks[0]?.status;
    if (status === undefined || !OVER.includes(status)) throw new NotYet();
    return { taskId: task, status, result: detail?.result ?? null };
  });
}

interface TaskAnswer {
  readonly tasks: readonly { readonly status: string }[];
  readonly detail?: { readonly result?: unknown };
}

/** Waits for the next message to a worker of the bus, which is then acknowledged. */
export async function awaitMessage(
  run: RunContext,
  {
    message: { to, thread },
    limitMs,
  }: { readonly message: { readonly to: string; readonly thread?: string | undefined } } & Limit,
): Promise<unknown> {
  const registers = async ({ tools }: { readonly tools: ToolCaller }) => {
    await called(tools, 'register_worker', { name: to });
    return null;
  };
  await run.step('registers', registers, { title: `registers ${to} on the bus` });
  const inbox = { worker: to, view: 'new', limit: 1, ...(thread === undefined ? {} : { threadId: thread }) };
  const message = await look(run, { what: `a message to ${to}`, limitMs }, async (tools) => {
    // Not marked as read yet: a server that dies now has taken it from nobody.
    const { messages } = await structured<InboxAnswer>(tools, 'fetch_inbox', { ...inbox, mark: 'delivered' });
    const [first] = messages;
    if (!first) throw new NotYet();
    return first.part ? { ...first, part: undefined, body: await wholeBody(tools, to, first) } : first;
  });
  const acknowledges = async ({ tools }: { readonly tools: ToolCaller }) => {
    await called(tools, 'fetch_inbox', { worker: to, view: 'sent', limit: 1, ack: [message.messageId] });
    return null;
  };
  await run.step('takes it', acknowledges, { title: `acknowledges the message to ${to}` });
  return message;
}

/** A long body comes in parts, which the record gives without marking any. */
async function wholeBody(tools: ToolCaller, worker: string, { messageId, body }: Message): Promise<string> {
  let whole = body;
  for (let from = body.length; ; from = whole.length) {
    const page = { worker, view: 'all', limit: 1, cursor: `${messageId}+${from}` };
    const { messages } = await structured<InboxAnswer>(tools, 'fetch_inbox', page);
    const [next] = messages;
    if (next?.messageId !== messageId) return whole;
    whole += next.body;
  }
}

interface Message {
  readonly messageId: string;
  readonly body: string;
  readonly part?: object;
}

interface InboxAnswer {
  readonly messages: readonly Message[];
}

async function structured<Answer>(tools: ToolCaller, tool: string, given: object): Promise<Answer> {
  return (await called(tools, tool, given)).structuredContent as unknown as Answer; // as the bus says that it answers
}

/** One step that is tried again and again, with nothing but the time of the next try put on record. */
async function look<Found>(
  run: RunContext,
  { what, limitMs }: { readonly what: string } & Limit,
  find: (tools: ToolCaller) => Promise<Found>,
): Promise<Found> {
  const from = await run.now('from');
  return run.step(
    'looks',
    async ({ tools }) => {
      try {
        return await find(tools);
      } catch (error) {
        const isLate = limitMs !== undefined && Date.now() - from >= limitMs;
        if (!(error instanceof NotYet) || !isLate) throw error;
        const text = `There was no ${what.replace(/^a /, '')} within ${limitMs} ms.`;
        throw new ToolError('NEXUS_TIMEOUT', text, { detail: { limitMs } });
      }
    },
    {
      title: `waits for ${what}`,
      retry: {
        attempts: Number.POSITIVE_INFINITY,
        delayMs: FIRST_LOOK_MS,
        maxDelayMs: LONGEST_PAUSE_MS,
        isRetryable: (error) => error instanceof NotYet,
        isQuiet: true,
      },
    },
  );
}

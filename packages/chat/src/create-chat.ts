import type { MemoryLedger } from '@nexus/conversation';
import {
  type Approval,
  addUsage,
  type Conversation,
  type ConversationEvent,
  type ConversationSteps,
  type ConversationTool,
  isToolError,
  type ModelEntry,
  type ModelMessage,
  type Models,
  NO_USAGE,
  type ToolUse,
} from '@nexus/plugin-sdk';
import { closeTurn } from './history/close-turn.ts';
import { fitHistory, type HistoryLimits, type Summary, toSummarize } from './history/fit-history.ts';
import { summarize } from './history/summarize.ts';
import { tokenCount } from './history/token-count.ts';
import type { ServerTool } from './servers/chat-server.ts';
import { labelling, needsYes } from './servers/labelling.ts';
import type { CallState, ChatSession } from './sessions/chat-session.ts';
import type { SessionStore } from './sessions/session-store.ts';
import { fitTools, type SearchTools } from './tools/fit-tools.ts';

export type ChatEvent = ConversationEvent | { readonly type: 'summary'; readonly summary: Summary };

/** What a person says to a call of a tool that is not read-only. */
export type Permission = 'once' | 'always' | 'no' | 'nobody to ask';

export interface ChatOptions {
  readonly models: Models;
  readonly session: ChatSession;
  readonly store: SessionStore;
  /** Asked before each request: servers may change theirs in the middle of a turn. */
  readonly tools: () => readonly ServerTool[];
  /** By which the model finds those that requests do not tell of. */
  readonly searchTools: SearchTools;
  readonly permit: (use: ToolUse, tool: ConversationTool) => Promise<Permission>;
  /** Its spending is kept in the session, so that its cap holds when the conversation is resumed. */
  readonly ledger?: MemoryLedger;
  readonly system?: string;
  /** Default 25. */
  readonly maxSteps?: number;
  /** Default 5. */
  readonly maxExchanges?: number;
  readonly maxResultChars?: number;
}

/** One conversation: its history, its session on disk, and the loop that answers what the user says. */
export interface Chat {
  readonly session: ChatSession;
  /**
   * What the user says, answered. Kept when it returns, and on disk before the next turn; also what was done of a
   * turn that failed or was cancelled, so that the history is valid and can be carried on.
   * @throws {ToolError} what the model's call failed of; the signal's reason
   */
  ask(
    text: string,
    turn: { readonly signal: AbortSignal; readonly onEvent?: (event: ChatEvent) => void },
  ): Promise<Conversation>;
}

/** For the model, which tells its user. */
const REFUSED = {
  no: 'the user said no.',
  'nobody to ask':
    'nobody could be asked, and nobody said no: `nexus chat` on a terminal asks, and --yes allows such calls unasked.',
} as const satisfies Partial<Record<Permission, string>>;

/** Its folder is read by no tool; the model has to know, or it tries. */
const FOR_THE_USER = ', for your user to open: no tool of yours reads it, so ask the tool for a part';

/** Where a model's window is not known. */
const SMALL_WINDOW = 32_000;
/** What answer, tools and system prompt may take beside the history, at most half of the window. */
const RESERVED = 16_000;
const CHARS_PER_TOKEN = 3;

export function createChat(options: ChatOptions): Chat {
  const { models, session, store, ledger, maxExchanges = 5 } = options;

  let fitted = fitTools([], options.searchTools);
  let fittedOf: readonly ServerTool[] = [];
  /** The same as long as the servers have the same, so that requests begin alike. */
  function tools() {
    const all = options.tools();
    if (all !== fittedOf) fitted = fitTools(all, options.searchTools);
    fittedOf = all;
    return fitted;
  }

  let tokens = tokenCount();
  let countedFor = session.model;

  /** By the window of the model that is asked, less what goes with every request. */
  async function limits(): Promise<HistoryLimits & { readonly overhead: number }> {
    const entry = await entryOf(models, session.model);
    const window = entry?.contextWindow ?? SMALL_WINDOW;
    const overhead = Math.ceil((tools().toldChars + (options.system?.length ?? 0)) / CHARS_PER_TOKEN);
    const reserved = Math.min(window / 2, RESERVED + overhead);
    // Another model counts otherwise.
    if (countedFor !== session.model) tokens = tokenCount();
    countedFor = session.model;
    return { maxTokens: Math.floor(window - reserved), maxExchanges, tokens, overhead };
  }

  async function ask(text: string, { signal, onEvent }: Parameters<Chat['ask']>[1]): Promise<Conversation> {
    // The disk had the time that the user took.
    await store.settled();
    // Before it is paid for.
    store.requireFile(session);
    const prompt = [
      ...session.messages,
      { role: 'user' as const, content: [{ type: 'text' as const, text }] },
    ];
    const kept = [...prompt];
    let sent: readonly ModelMessage[] = [];
    let overhead = 0;
    let lastUsage = NO_USAGE;
    let ofSummaries = { usage: NO_USAGE, calls: 0 };
    /** A kill leaves what was said, done and paid for. */
    const noteTurn = () => {
      if (ledger) session.spent = ledger.spent;
      store.note(session, kept);
    };
    const noteCall = (id: string, state: CallState) => {
      session.calls = { ...session.calls, [id]: state };
      noteTurn();
    };
    /** What may not be made twice is not to be made unseen: a kill leaves which calls were made. */
    const steps: ConversationSteps = {
      model: (_turn, work) => work({ signal }),
      async tool(_turn, use, work) {
        noteCall(use.id, 'made');
        const result = await work({ signal });
        noteCall(use.id, 'answered');
        return result;
      },
    };
    const approve = async (use: ToolUse, tool: ConversationTool): Promise<Approval> => {
      const serverTool = tool as ServerTool; // one of `options.tools()`
      const { origin } = serverTool;
      if (session.allowed.includes(origin) && !needsYes(serverTool, session)) return { isGiven: true };
      // Whoever can't be asked has not said yes.
      const permission = await options.permit(use, tool).catch((): Permission => 'nobody to ask');
      if (permission === 'always' && !session.allowed.includes(origin)) session.allowed.push(origin);
      return permission === 'once' || permission === 'always'
        ? { isGiven: true }
        : { isGiven: false, reason: REFUSED[permission] };
    };
    try {
      const conversation = await models.converse(
        {
          prompt,
          get tools() {
            return tools().all.map((tool) => labelling(tool, session));
          },
          resolve: (use) => tools().resolve(use),
          approve,
          prepare: async (messages) => {
            const bounds = await limits();
            const older = toSummarize(messages, session.summary, bounds);
            if (older.length > 0) {
              const { summary, usage } = await summaryOf(older, signal);
              if (usage) {
                ofSummaries = {
                  usage: addUsage(ofSummaries.usage, usage),
                  calls: ofSummaries.calls + 1,
                };
              }
              if (summary) {
                session.summary = summary;
                noteTurn();
                onEvent?.({ type: 'summary', summary });
              }
            }
            sent = fitHistory(messages, session.summary, bounds);
            overhead = bounds.overhead;
            return sent;
          },
          steps,
          keep: async (use, whole) => `${await store.keep(session, use.name, whole)}${FOR_THE_USER}`,
          onEvent(event) {
            if (event.type === 'usage') {
              session.usage = addUsage(session.usage, event.usage);
              lastUsage = event.usage;
            }
            if (event.type === 'message') {
              kept.push(event.message);
              // Another turn of the model's, whose calls are others.
              session.calls = {};
              if (event.message.role === 'assistant') tokens.learn(sent, event.message, lastUsage, overhead);
            }
            if (event.type === 'message' || event.type === 'usage') noteTurn();
            onEvent?.(event);
          },
          ...(session.model === undefined ? {} : { model: session.model }),
          ...(options.system === undefined ? {} : { system: options.system }),
          answersAtLimit: true,
          ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
          ...(options.maxResultChars === undefined ? {} : { maxResultChars: options.maxResultChars }),
          ...(ledger === undefined ? {} : { ledger }),
        },
        { signal },
      );
      session.messages = [...conversation.messages];
      return {
        ...conversation,
        usage: addUsage(conversation.usage, ofSummaries.usage),
        calls: conversation.calls + ofSummaries.calls,
      };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      session.messages = closeTurn(kept, reason, session.calls);
      throw error;
    } finally {
      if (ledger) session.spent = ledger.spent;
      store.save(session);
    }
  }

  async function summaryOf(
    messages: Parameters<typeof summarize>[0]['messages'],
    signal: AbortSignal,
  ): Promise<Partial<Awaited<ReturnType<typeof summarize>>>> {
    try {
      return await summarize({
        messages,
        before: session.summary,
        models,
        model: session.model,
        caller: { signal },
        ledger,
      });
    } catch (error) {
      // A history without a summary is cut, which is better than no answer; a budget that is spent is not.
      if (signal.aborted || (isToolError(error) && error.code === 'NEXUS_BUDGET_EXCEEDED')) throw error;
      return {};
    }
  }

  return { session, ask };
}

async function entryOf(models: Models, wanted: string | undefined): Promise<ModelEntry | undefined> {
  const providers = await models.list();
  const found = providers.filter(({ isFound }) => isFound).flatMap((provider) => provider.models);
  if (wanted === undefined) return found[0];
  return found.find(({ id, provider }) => id === wanted || provider === wanted);
}

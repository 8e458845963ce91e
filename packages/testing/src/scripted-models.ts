import { answerObject, askedBy, converse, historyFaults, toMessages } from '@nexus/conversation';
import {
  type Generated,
  type GenerateRequest,
  type JudgedWork,
  type ModelBlock,
  type ModelCaller,
  type Models,
  type ModelUsage,
  NO_USAGE,
  type Spend,
  ToolError,
} from '@nexus/plugin-sdk';

/** What a model says next: a text, tools that it wants called, both, an object as JSON, or an error. */
export type ScriptedAnswer = string | Error | ScriptedTurn;

interface ScriptedTurn {
  readonly text?: string;
  /** Becomes the text, as JSON. */
  readonly object?: unknown;
  readonly tools?: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
  readonly usage?: Partial<ModelUsage>;
  /** It never answers; the call ends with its caller's signal. */
  readonly hangs?: true;
}

export interface ScriptedModels extends Models {
  /** What the model was asked, oldest first. */
  readonly requests: readonly GenerateRequest[];
  /** What was told of how work turned out, oldest first. */
  readonly judged: readonly JudgedWork[];
}

const MODEL = 'scripted:model';
const USAGE: ModelUsage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, costUsd: 0.001 };

/**
 * Models for a plugin's tests: answers by script, in order or by what is asked, under the real conversation
 * loop, the real repair of objects and the check of each history. Without an answer left there is no model.
 * @param options.models as `provider:name`, of which the first answers where none is named; default one
 */
export function scriptedModels(
  script: readonly ScriptedAnswer[] | ((request: GenerateRequest) => ScriptedAnswer | undefined),
  { models = [MODEL] }: { readonly models?: readonly string[] } = {},
): ScriptedModels {
  const requests: GenerateRequest[] = [];
  const judged: JudgedWork[] = [];
  const left = typeof script === 'function' ? [] : [...script];
  const isThere = typeof script === 'function' || script.length > 0;
  const next = (request: GenerateRequest) => (typeof script === 'function' ? script(request) : left.shift());

  async function generate(given: GenerateRequest, caller: ModelCaller): Promise<Generated> {
    const { signal } = caller;
    const request = askedBy(given, caller);
    signal.throwIfAborted();
    const faults = historyFaults(toMessages(request.prompt));
    if (faults.length > 0) throw new ToolError('NEXUS_INVALID_ARGUMENTS', faults.join('; '));
    const { ledger, onEvent: _, idempotencyKey: __, ...asked } = request;
    const reservation = await ledger?.reserve(spendOf(USAGE), MODEL, asked);
    if (reservation?.answer) return reservation.answer.value as Generated; // as it was settled with
    requests.push({ ...request });
    const answer = next(request);
    if (typeof answer === 'object' && !(answer instanceof Error) && answer.hangs) return untilAborted(signal);
    const generated =
      answer === undefined || answer instanceof Error
        ? undefined
        : toGenerated(typeof answer === 'string' ? { text: answer } : answer, {
            call: requests.length,
            model: models.find((id) => id === request.model) ?? models[0] ?? MODEL,
          });
    const usage = generated?.usage ?? NO_USAGE;
    await reservation?.settle({ ...spendOf(usage), usage }, generated);
    if (answer instanceof Error) throw answer;
    if (!generated) throw new ToolError('NEXUS_NO_MODEL', 'No language model is there.');
    if (generated.text !== '') request.onEvent?.({ type: 'text', text: generated.text });
    request.onEvent?.({ type: 'usage', model: generated.model, usage });
    return generated;
  }

  return {
    requests,
    judged,
    generate,
    object: (request, caller) => answerObject(request, generate, caller),
    converse: (request, caller) => converse(request, generate, caller),
    lookUp: async ({ provider, name }) => {
      if (provider !== 'scripted')
        throw new ToolError('NEXUS_NO_MODEL', `There is no provider "${provider}".`);
      const isOffered = `${provider}:${name}` === MODEL;
      return { isOffered, entry: { ...ENTRY, id: `${provider}:${name}`, name }, nearest: [], offered: 1 };
    },
    outcomes: async () => [],
    async judge(work) {
      judged.push(work);
      return 'model' in work.by ? [work.by.model] : [MODEL];
    },
    list: async () =>
      providersOf(models).map(({ name, entries }) => ({
        name,
        kind: 'api',
        isFound: isThere,
        reason: isThere ? 'by the test' : 'the test has no answers',
        models: entries,
      })),
    async route({ inputTokens = 0, outputTokens = 0 }) {
      if (!isThere) throw new ToolError('NEXUS_NO_MODEL', 'No language model is there.');
      const best = { model: MODEL, score: 1, quality: 1, cost: 1, latency: 1, why: ['the only one'] };
      return { best, alternatives: [], excluded: [], inputTokens, outputTokens };
    },
  };
}

function spendOf({ inputTokens, outputTokens, costUsd = 0 }: ModelUsage): Spend {
  return { tokens: inputTokens + outputTokens, costUsd };
}

function providersOf(models: readonly string[]) {
  const ids = models.map((id) => ({ id, provider: id.slice(0, id.indexOf(':')) }));
  return [...new Set(ids.map(({ provider }) => provider))].map((name) => ({
    name,
    entries: ids
      .filter(({ provider }) => provider === name)
      .map(({ id, provider }) => ({ ...ENTRY, id, provider, name: id.slice(provider.length + 1) })),
  }));
}

const ENTRY = {
  id: MODEL,
  provider: 'scripted',
  name: 'model',
  reads: [],
  tools: 'native',
  quality: { general: 1, reasoning: 1, code: 1, context: 1, speed: 1 },
} as const;

function toGenerated(
  { text, object, tools = [], usage }: ScriptedTurn,
  { call, model }: { readonly call: number; readonly model: string },
): Generated {
  const said = text ?? (object === undefined ? '' : JSON.stringify(object));
  const toolUses = tools.map(({ name, input }, index) => ({
    type: 'tool_use' as const,
    id: `call_${call}_${index + 1}`,
    name,
    input,
  }));
  const content: ModelBlock[] = [
    ...(said === '' ? [] : [{ type: 'text' as const, text: said }]),
    ...toolUses,
  ];
  return {
    message: {
      role: 'assistant',
      content: content.length > 0 ? content : [{ type: 'text', text: '(no answer)' }],
    },
    text: said,
    toolUses,
    model,
    stopReason: toolUses.length > 0 ? 'tool_use' : 'end',
    usage: { ...USAGE, ...usage },
  };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

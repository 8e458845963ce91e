import type {
  Conversation,
  ConversationSteps,
  ConverseRequest,
  Generated,
  GenerateRequest,
  ModelCaller,
  ModelMessage,
  ToolResult,
  ToolUse,
} from '@nexus/plugin-sdk';
import { addUsage, NO_USAGE } from '@nexus/plugin-sdk';
import { callTools } from './call-tools.ts';
import { toMessages } from './history-faults.ts';
import { createLoopGuard } from './loop-guard.ts';
import { failedResult } from './result-content.ts';
import { tellTurn } from './tell-turn.ts';

const DEFAULT_MAX_STEPS = 25;

/** One call of a model, as `Models.generate`. */
export type Generate = (request: GenerateRequest, caller: ModelCaller) => Promise<Generated>;

/**
 * The one loop of model and tools: the model is asked, every tool use of its turn is answered in order, and
 * it is asked again, until it answers without tools or calls one that ends it. The history is valid after each message, whatever ends
 * the loop.
 */
export async function converse(
  request: ConverseRequest,
  generate: Generate,
  caller: ModelCaller,
): Promise<Conversation> {
  const { maxSteps = DEFAULT_MAX_STEPS, steps = directSteps(caller) } = request;
  const history: ModelMessage[] = [...toMessages(request.prompt)];
  const guard = createLoopGuard();
  const toolCalls: { name: string; isError: boolean }[] = [];
  let usage = NO_USAGE;
  let { model } = request;
  const add = (message: ModelMessage) => {
    history.push(message);
    tellTurn(request, { type: 'message', message });
  };
  for (let turn = 1; ; turn += 1) {
    caller.signal.throwIfAborted();
    const isLast = turn > maxSteps;
    const asked = await steps.model(turn, async (step) => {
      const prompt = request.prepare ? await request.prepare(history) : [...history];
      return generate(
        {
          ...modelRequest(request),
          // Told of them still: providers want those that the history uses.
          ...(isLast ? { toolChoice: 'none' } : {}),
          prompt,
          ...(model === undefined ? {} : { model }),
        },
        step,
      );
    });
    usage = addUsage(usage, asked.usage);
    // Chosen once: another model in the middle would not know what the first one meant.
    model ??= asked.model;
    add(asked.message);
    const ended = (endedBy: Conversation['endedBy']): Conversation => {
      return {
        text: asked.text,
        messages: history,
        toolCalls,
        usage,
        calls: turn,
        model: asked.model,
        endedBy,
      };
    };
    const { resolve } = request;
    const uses = resolve ? asked.toolUses.map((use) => ({ ...resolve(use), id: use.id })) : asked.toolUses;
    if (uses.length === 0) return ended(isLast ? 'steps' : 'answer');
    if (turn >= maxSteps) {
      const goesOn = request.answersAtLimit === true && !isLast;
      const told = `Not called: the limit of ${maxSteps} steps is reached.${goesOn ? ' Answer with what you have, without tools, and say what is left open.' : ''}`;
      add({ role: 'user', content: uses.map((use) => failedResult(use, told)) });
      if (goesOn) continue;
      return ended('steps');
    }
    const results = await callTools({ turn, uses, request, steps, guard, signal: caller.signal });
    add({ role: 'user', content: results });
    for (const [index, { name }] of uses.entries())
      toolCalls.push({ name, isError: results[index]?.isError === true });
    if (guard.isHopeless) return ended('repetition');
    if (isLastTurn(uses, results, request.tools)) return ended('answer');
  }
}

/** A model that ends its work beside the calls that do it is not asked again only to say so. */
function isLastTurn(
  uses: readonly ToolUse[],
  results: readonly ToolResult[],
  tools: ConverseRequest['tools'],
): boolean {
  const ends = ({ name }: ToolUse) => tools.some((tool) => tool.name === name && tool.isLast === true);
  return uses.some(ends) && !results.some(({ isError }) => isError);
}

function directSteps(caller: ModelCaller): ConversationSteps {
  const { signal } = caller;
  return { model: (_turn, work) => work(caller), tool: (_turn, _use, work) => work({ signal }) };
}

/** The part of the request that each of its model calls has. */
function modelRequest(request: ConverseRequest): Omit<GenerateRequest, 'prompt' | 'model'> {
  const { system, category, maxOutputTokens, temperature, ledger, onEvent, tools } = request;
  return {
    tools: tools
      .filter(({ isTold }) => isTold !== false)
      .map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    ...(system === undefined ? {} : { system }),
    ...(category === undefined ? {} : { category }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(ledger === undefined ? {} : { ledger }),
    ...(onEvent === undefined ? {} : { onEvent }),
  };
}

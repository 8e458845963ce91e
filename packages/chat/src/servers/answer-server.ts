import { isRecord, JSON_RPC, ProtocolError } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import {
  type ElicitationAnswer,
  type ElicitationRequest,
  isToolError,
  type Ledger,
  type ModelMessage,
  type Models,
  type ModelTool,
} from '@nexus/plugin-sdk';

/** The person of a chat, as its servers may ask them. */
export interface Person {
  elicit(server: string, request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** Whether a server may ask the model this. */
  allowsSampling(server: string, request: Members, signal: AbortSignal): Promise<boolean>;
}

export interface ServerAnswers {
  readonly models: Models;
  readonly model: () => string | undefined;
  /** What a server makes the model cost counts as the conversation's own. */
  readonly ledger: () => Ledger | undefined;
  readonly person: Person;
  readonly projectRoot: { readonly uri: string; readonly name: string };
}

/** Declared to every server of a chat. */
export const CHAT_CAPABILITIES = { sampling: { tools: {} }, elicitation: { form: {}, url: {} }, roots: {} };

/**
 * Answers what a server asks its client: the person, the model, the roots.
 * @param nameOf asked at each question, since a server says what it is called only once it is connected
 */
export function answerServer(answers: ServerAnswers, nameOf: () => string) {
  return async (
    method: string,
    params: Members,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<Members> => {
    const server = nameOf();
    switch (method) {
      case 'elicitation/create':
        return { ...(await answers.person.elicit(server, params as unknown as ElicitationRequest, signal)) };
      case 'roots/list':
        return { roots: [answers.projectRoot] };
      case 'sampling/createMessage':
        return sample(answers, server, params, signal);
      case 'ping':
        return {};
      default:
        throw new ProtocolError(JSON_RPC.methodNotFound, `the chat does not offer ${method}`);
    }
  };
}

/** What the specification names for a person who says no (MCP 2025-11-25, Sampling, Error Handling). */
const USER_REJECTED = -1;

async function sample(
  { models, model, ledger, person }: ServerAnswers,
  server: string,
  params: Members,
  signal: AbortSignal,
): Promise<Members> {
  if (!(await person.allowsSampling(server, params, signal)))
    throw new ProtocolError(USER_REJECTED, 'User rejected sampling request');
  const messages = (Array.isArray(params.messages) ? params.messages : [])
    .filter(isRecord)
    .map(
      ({ role, content }) =>
        ({ role, content: Array.isArray(content) ? content : [content] }) as unknown as ModelMessage,
    );
  const wanted = model();
  const payer = ledger();
  try {
    const answer = await models.generate(
      {
        prompt: messages,
        ...(typeof params.systemPrompt === 'string' ? { system: params.systemPrompt } : {}),
        ...(typeof params.maxTokens === 'number' ? { maxOutputTokens: params.maxTokens } : {}),
        ...(Array.isArray(params.tools) ? { tools: params.tools as ModelTool[] } : {}),
        ...(wanted === undefined ? {} : { model: wanted }),
        ...(payer === undefined ? {} : { ledger: payer }),
      },
      { signal },
    );
    const blocks = answer.message.content.filter(({ type }) => type !== 'reasoning');
    const content = blocks.length === 1 ? blocks[0] : blocks;
    const stopReason = { end: 'endTurn', tool_use: 'toolUse', length: 'maxTokens', other: 'endTurn' }[
      answer.stopReason
    ];
    return { role: 'assistant', model: answer.model, content, stopReason };
  } catch (error) {
    if (!isToolError(error)) throw error;
    throw new ProtocolError(JSON_RPC.internalError, error.message);
  }
}

import { invalidParams } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { byType, type Check, object, oneOf, optional, text, texts, token } from './check.ts';
import { LOGGING_LEVELS } from './logging-levels.ts';

const uri = object({ uri: text });
const page = object({ cursor: optional(text) });

/** The protocol's own keys of `_meta`, for every request (MCP 2025-11-25, Progress and Tasks). */
const meta = object({
  progressToken: optional(token),
  'io.modelcontextprotocol/related-task': optional(object({ taskId: text })),
});

/**
 * Params by method. Written out, since the SDK's schemas bring zod into every start, strip what they do not
 * know, and cost as much as a whole call; tests hold these to them. `tools/call` and `tasks/…` are missing:
 * what they mean by their params is for them to say.
 */
const shapes: Readonly<Record<string, Check>> = {
  initialize: object({
    protocolVersion: text,
    clientInfo: object({ name: text, version: text }),
    capabilities: object({
      sampling: optional(object()),
      elicitation: optional(object()),
      roots: optional(object()),
      tasks: optional(object()),
    }),
  }),
  'logging/setLevel': object({ level: oneOf(...LOGGING_LEVELS) }),
  'resources/list': page,
  'resources/templates/list': page,
  'resources/read': uri,
  'resources/subscribe': uri,
  'resources/unsubscribe': uri,
  'prompts/list': page,
  'prompts/get': object({ name: text, arguments: optional(texts) }),
  'completion/complete': object({
    ref: byType({ 'ref/prompt': object({ name: text }), 'ref/resource': uri }),
    argument: object({ name: text, value: text }),
    context: optional(object({ arguments: optional(texts) })),
  }),
};

/** @throws {ProtocolError} -32602 naming each place that does not fit */
export function assertParams(method: string, params: Members): void {
  const shape = Object.hasOwn(shapes, method) ? shapes[method] : undefined;
  if (!shape && params._meta === undefined) return;
  const metaFault = params._meta === undefined ? undefined : meta(params._meta, 'params._meta');
  const fault = [metaFault, shape?.(params, 'params')].filter((each) => each !== undefined).join('; ');
  if (fault) throw invalidParams(`Invalid params for ${method}: ${fault}`);
}

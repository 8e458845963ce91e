import * as sdk from '@modelcontextprotocol/sdk/types.js';
import type { JsonRpcMessage } from '@nexus/core';

/** Holds the messages of one session to the SDK's own schemas; Nexus itself runs without them. */
export interface ProtocolCheck {
  fromClient(message: JsonRpcMessage): void;
  fromServer(message: JsonRpcMessage): void;
  /** Each in words: what did not fit, and where. */
  readonly faults: readonly string[];
}

interface Schema {
  safeParse(value: unknown): {
    readonly success: boolean;
    readonly error?: { readonly issues: readonly { path: PropertyKey[]; message: string }[] };
  };
}

const byMethod = (schemas: readonly { readonly shape: { readonly method: { readonly value: string } } }[]) =>
  new Map(schemas.map((schema) => [schema.shape.method.value, schema as unknown as Schema]));

const clientRequests = byMethod(sdk.ClientRequestSchema.options);
const serverRequests = byMethod(sdk.ServerRequestSchema.options);
const serverNotifications = byMethod(sdk.ServerNotificationSchema.options);

const results: Readonly<Record<string, Schema>> = {
  initialize: sdk.InitializeResultSchema,
  ping: sdk.EmptyResultSchema,
  'logging/setLevel': sdk.EmptyResultSchema,
  'completion/complete': sdk.CompleteResultSchema,
  'prompts/get': sdk.GetPromptResultSchema,
  'prompts/list': sdk.ListPromptsResultSchema,
  'resources/list': sdk.ListResourcesResultSchema,
  'resources/templates/list': sdk.ListResourceTemplatesResultSchema,
  'resources/read': sdk.ReadResourceResultSchema,
  'resources/subscribe': sdk.EmptyResultSchema,
  'resources/unsubscribe': sdk.EmptyResultSchema,
  'tools/list': sdk.ListToolsResultSchema,
  'tools/call': sdk.CallToolResultSchema,
  'tasks/get': sdk.GetTaskResultSchema,
  'tasks/result': sdk.GetTaskPayloadResultSchema,
  'tasks/list': sdk.ListTasksResultSchema,
  'tasks/cancel': sdk.CancelTaskResultSchema,
};

/** Their params are judged by what they mean, which takes in more than the schema does. */
const JUDGED_BY_MEANING = /^(tools\/call|tools\/list|tasks\/.*)$/;

export function protocolCheck(): ProtocolCheck {
  const asked = new Map<string | number, { method: string; isTask: boolean; misfit: string | undefined }>();
  const faults: string[] = [];

  function hold(what: string, schema: Schema, value: unknown): void {
    const fault = misfit(schema, value);
    if (fault) faults.push(`${what}: ${fault}`);
  }

  function answered(message: JsonRpcMessage): void {
    const request = message.id === undefined ? undefined : asked.get(message.id);
    if (message.id !== undefined) asked.delete(message.id);
    if (message.error) {
      hold('an error', sdk.JSONRPCErrorResponseSchema, message);
      return;
    }
    if (!request) {
      faults.push(`an answer to no request: ${JSON.stringify(message).slice(0, 200)}`);
      return;
    }
    const { method, isTask } = request;
    if (request.misfit)
      faults.push(`${method} was answered although its params do not fit: ${request.misfit}`);
    const schema = isTask ? sdk.CreateTaskResultSchema : results[method];
    if (schema) hold(`the result of ${method}`, schema, message.result);
    else faults.push(`a result of ${method}, which the protocol does not know`);
  }

  return {
    faults,
    fromClient(message) {
      const { id, method, params } = message;
      if (method === undefined || id === undefined) return;
      const schema = clientRequests.get(method) ?? sdk.RequestSchema;
      asked.set(id, {
        method,
        isTask: method === 'tools/call' && typeof params?.task === 'object' && params.task !== null,
        misfit: JUDGED_BY_MEANING.test(method) ? undefined : misfit(schema, message),
      });
    },
    fromServer(message) {
      hold('an envelope', sdk.JSONRPCMessageSchema, message);
      const { id, method } = message;
      if (method === undefined) return answered(message);
      const schema = (id === undefined ? serverNotifications : serverRequests).get(method);
      if (schema) hold(method, schema, message);
      else faults.push(`${method}, which the protocol does not know`);
    },
  };
}

function misfit(schema: Schema, value: unknown): string | undefined {
  const { success, error } = schema.safeParse(value);
  if (success) return undefined;
  const issues = error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`).join('; ');
}

import {
  CallToolResultSchema,
  CompleteResultSchema,
  CreateTaskResultSchema,
  EmptyResultSchema,
  GetPromptResultSchema,
  GetTaskResultSchema,
  InitializeResultSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListTasksResultSchema,
  ListToolsResultSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Message } from './session.ts';

const RESULTS = {
  initialize: InitializeResultSchema,
  ping: EmptyResultSchema,
  'tools/list': ListToolsResultSchema,
  'tools/call': CallToolResultSchema,
  'resources/list': ListResourcesResultSchema,
  'resources/templates/list': ListResourceTemplatesResultSchema,
  'resources/read': ReadResourceResultSchema,
  'resources/subscribe': EmptyResultSchema,
  'resources/unsubscribe': EmptyResultSchema,
  'prompts/list': ListPromptsResultSchema,
  'prompts/get': GetPromptResultSchema,
  'completion/complete': CompleteResultSchema,
  'logging/setLevel': EmptyResultSchema,
  'tasks/get': GetTaskResultSchema,
  'tasks/list': ListTasksResultSchema,
  'tasks/cancel': GetTaskResultSchema,
  'tasks/result': CallToolResultSchema,
} as const;

/**
 * The official SDK's own schemas are what clients hold an answer to. Tools of other servers are passed on as they
 * are served, odd ones too.
 * @throws {Error} where an answer of Nexus does not pass
 */
export function assertFits(method: string, { result }: Message): void {
  if (result === undefined) return;
  const isTask = method === 'tools/call' && result.task !== undefined;
  const schema = isTask ? CreateTaskResultSchema : RESULTS[method as keyof typeof RESULTS];
  const own = (tool: { name: string }) => !tool.name.includes('__');
  const answer = method === 'tools/list' ? { ...result, tools: result.tools.filter(own) } : result;
  const error = schema?.safeParse(answer).error;
  if (error) throw new Error(`a client of the official SDK refuses this answer to ${method}: ${error}`);
}

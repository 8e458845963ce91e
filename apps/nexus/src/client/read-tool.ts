import type { ToolCallResult } from '@nexus/plugin-sdk';
import type { Client } from './connect-to-nexus.ts';

/**
 * Calls a tool for its structured answer.
 * @throws {Error} with the tool's own words when it fails
 */
export async function readTool<Answer>(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<Answer> {
  const result = (await client.request('tools/call', { name, arguments: args })) as unknown as ToolCallResult;
  if (result.isError) throw new Error(result.content.map((block) => block.text ?? '').join('\n'));
  // The server has checked it against the tool's output schema.
  return result.structuredContent as Answer;
}

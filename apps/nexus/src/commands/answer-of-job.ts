import { ANSWER_MS, endsWithin } from '@nexus/core';
import { asToolCallResult, type ToolCallResult } from '@nexus/plugin-sdk';
import type { NexusConnection } from '../client/connect-to-nexus.ts';

/** What a job came to is what its only step did. */
export async function answerOfJob(connection: NexusConnection, id: string): Promise<ToolCallResult> {
  const { contents } = (await connection.request(
    'resources/read',
    { uri: `nexus://runs/${id}/steps/call` },
    { signal: endsWithin(ANSWER_MS) },
  )) as { readonly contents: readonly { readonly text: string }[] }; // of our own server
  return asToolCallResult(JSON.parse(contents[0]?.text ?? '{}').result);
}

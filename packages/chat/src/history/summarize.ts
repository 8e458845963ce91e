import {
  fence,
  type Ledger,
  type ModelBlock,
  type ModelCaller,
  type ModelMessage,
  type Models,
  type ModelUsage,
} from '@nexus/plugin-sdk';
import { cutMiddle } from '@nexus/primitives';
import type { Summary } from './fit-history.ts';

const MAX_TOLD_CHARS = 60_000;
const MAX_BLOCK_CHARS = 2_000;
const SUMMARY_TOKENS = 1_000;

export interface SummaryRequest {
  readonly messages: readonly ModelMessage[];
  readonly before: Summary | undefined;
  readonly models: Models;
  readonly model: string | undefined;
  readonly caller: ModelCaller;
  readonly ledger: Ledger | undefined;
}

/**
 * What earlier exchanges came to, in the model's words, the summary before them included.
 * Without a summary where the model said nothing, which stands for no conversation; it cost the same.
 */
export async function summarize({
  messages,
  before,
  models,
  model,
  caller,
  ledger,
}: SummaryRequest): Promise<{ readonly summary: Summary | undefined; readonly usage: ModelUsage }> {
  const told = messages
    .map((message) => `${message.role}: ${message.content.map(inWords).join('\n')}`)
    .join('\n\n');
  const earlier = before ? `${fence('the summary so far', before.text)}\n\n` : '';
  const { text, usage } = await models.generate(
    {
      system:
        'You summarise a conversation for the one who will carry it on. Keep names, numbers, decisions, what was found out and what is still open. Say nothing else.',
      prompt: `${earlier}${fence('the conversation', cutMiddle(told, MAX_TOLD_CHARS))}\n\nSummarise it in at most 300 words.`,
      category: 'speed',
      maxOutputTokens: SUMMARY_TOKENS,
      ...(model === undefined ? {} : { model }),
      ...(ledger === undefined ? {} : { ledger }),
    },
    caller,
  );
  const said = text.trim();
  const covers = (before?.covers ?? 0) + messages.length;
  return { summary: said === '' ? undefined : { text: said, covers }, usage };
}

function inWords(block: ModelBlock): string {
  switch (block.type) {
    case 'text':
      return cutMiddle(block.text, MAX_BLOCK_CHARS);
    case 'tool_use':
      return `called ${block.name} with ${cutMiddle(JSON.stringify(block.input), MAX_BLOCK_CHARS)}`;
    case 'tool_result':
      return `result${block.isError ? ' (failed)' : ''}: ${block.content.map(inWords).join('\n')}`;
    case 'reasoning':
      return '';
    default:
      return `[${block.type}]`;
  }
}

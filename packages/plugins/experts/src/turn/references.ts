import { createHash } from 'node:crypto';
import { answeredUsesIn, type ModelMessage, type Reference, type ToolResult } from '@nexus/plugin-sdk';

const DIGEST_CHARS = 16;

/** What the tools of a conversation were asked and answered, each question once. */
export function referencesIn(messages: readonly ModelMessage[]): Reference[] {
  const found = new Map<string, Reference>();
  for (const { use, result } of answeredUsesIn(messages)) {
    found.set(`${use.name} ${JSON.stringify(use.input)}`, referenceOf(use, result));
  }
  return [...found.values()];
}

function referenceOf(
  { name, input }: { readonly name: string; readonly input: Readonly<Record<string, unknown>> },
  { content, isError = false }: ToolResult,
): Reference {
  const path = [input.path, input.filePath].find((each) => typeof each === 'string');
  const { lines } = input;
  return {
    tool: name,
    arguments: input,
    ...(path === undefined ? {} : { path }),
    ...(typeof lines === 'string' ? { lines } : {}),
    digest: digestOf(JSON.stringify(content)),
    isError,
  };
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_CHARS);
}

import type { PromptContext } from '@nexus/plugin-sdk';

/** A line that points to the first of these tools that exists; prompts never name one that does not. */
export function pointTo(
  { tools }: PromptContext,
  choices: Readonly<Record<string, string>>,
  otherwise: string,
): string {
  const found = Object.entries(choices).find(([name]) => tools.some((tool) => tool.name === name));
  return found ? found[1] : otherwise;
}

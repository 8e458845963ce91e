import { isRecord } from '@nexus/core';
import { type ToolCallResult, withoutRunText } from '@nexus/plugin-sdk';
import { printMarkdown } from '../terminal/output.ts';
import { printResult } from './call.ts';

/** For a person: the text of an answer that was written for one, where there is such. */
export function printToolAnswer(result: ToolCallResult): void {
  const answer = result.structuredContent;
  if (result.isError || !isRecord(answer) || typeof answer.summary !== 'string') {
    printResult(result);
    return;
  }
  const { summary, recommendations } = answer;
  const items = Array.isArray(recommendations) ? recommendations.map((each) => `- ${each}`) : [];
  // What a workflow came to stands in the text beside its summary, before the line of what stands behind it.
  const said = answer.output === undefined ? summary : withoutRunText(result.content[0]?.text ?? summary);
  const text = [said.trim(), items.join('\n')].filter(Boolean).join('\n\n');
  printMarkdown(text);
}

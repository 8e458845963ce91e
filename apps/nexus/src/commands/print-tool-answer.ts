import { isRecord } from '@nexus/core';
import { type ToolCallResult, withoutRunText } from '@nexus/plugin-sdk';
import { printMarkdown } from '../terminal/output.ts';
import { printResult } from './call.ts';

/** For a person: the text of an answer that was written for one, where there is such. */
export function printToolAnswer(result: ToolCallResult): void {
  const answer = result.structuredContent;
  const whole = result.content[0]?.text ?? '';
  if (result.isError || !isRecord(answer)) {
    printResult(result);
    return;
  }
  const { summary, recommendations } = answer;
  if (typeof summary !== 'string') {
    const text = withoutRunText(whole).trim();
    if (text === '' || isJson(text)) printResult(result);
    else printMarkdown(text);
    return;
  }
  // A text that begins with the summary says the rest in words: faults, contradictions, steps. What a workflow came to
  // stands in the text beside its summary. Both end with the line of what stands behind it.
  if (answer.output !== undefined || whole.startsWith(summary.trim())) {
    printMarkdown(withoutRunText(whole || summary).trim());
    return;
  }
  const items = Array.isArray(recommendations) ? recommendations.map((each) => `- ${each}`) : [];
  printMarkdown([summary.trim(), items.join('\n')].filter(Boolean).join('\n\n'));
}

/** Nobody wrote that for a person. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

import { calledText, speaksOfRunning } from '@nexus/plugin-sdk/evidence';
import { visibleLine } from '@nexus/untrusted/shown';

interface Answered {
  readonly text: string;
  readonly toolCalls: readonly { readonly name: string; readonly isError?: boolean }[];
  /** What it names and what is not in the project. */
  readonly missing: readonly string[];
}

/** What stands below an answer, in lines of Nexus's own; empty where there is nothing to be said. */
export function belowAnswer({ text, toolCalls, missing }: Answered): string {
  return [
    ...(missing.length === 0 ? [] : [`not found in the project: ${missing.map(visibleLine).join(', ')}`]),
    ...(speaksOfRunning(text) ? [calledText(toolCalls)] : []),
  ]
    .map((line) => `[${line}]\n`)
    .join('');
}

import type { ChatEvent } from '@nexus/chat';
import { visibleJson, visibleLine, visibleStart } from '@nexus/untrusted/shown';
import { markdownLook, markdownRenderer } from '../terminal/render-markdown.ts';
import { shown } from '../terminal/shown.ts';

/** Shows what happens in a turn, as it happens. */
export interface TurnView {
  show(event: ChatEvent): void;
  end(): void;
}

/** @param stream what it is shown on, as `write` does it */
export function turnView(stream: NodeJS.WriteStream, write: (text: string) => void): TurnView {
  const renderer = markdownRenderer(markdownLook(stream));
  const say = (text: string) => write(`${renderer.end()}${shown(text, stream)}\n`);
  return {
    show(event) {
      switch (event.type) {
        case 'text':
          write(renderer.push(event.text));
          break;
        case 'tool_use':
          say(callLine(event.use.name, event.use.input));
          break;
        case 'tool_result':
          if (event.result.isError)
            say(`[${visibleLine(event.use.name)} failed: ${firstLine(event.result.content)}]`);
          break;
        case 'retry':
          say(`[asking again in ${Math.ceil(event.waitMs / 1000)} s: ${visibleLine(event.reason)}]`);
          break;
        case 'summary':
          say(`[${summaryWords(event.summary.text)}]`);
          break;
        default:
          break;
      }
    },
    end: () => write(renderer.end()),
  };
}

export function summaryWords(summary: string): string {
  return `earlier exchanges are summarised from here on: ${visibleLine(summary)}`;
}

/** As the walkthrough of the source has it: `[Calling tool X with args {…}]`. */
export function callLine(name: string, input: Readonly<Record<string, unknown>>): string {
  return `[Calling tool ${visibleLine(name)} with args ${visibleJson(input)}]`;
}

/** What to look into before a conversation goes on whose process was killed in the middle of calls; empty without any. */
export function unseenLines(
  uses: readonly { name: string; input: Readonly<Record<string, unknown>> }[],
): string[] {
  if (uses.length === 0) return [];
  return [
    `Nexus was ended in the middle of ${uses.length === 1 ? 'this call' : 'these calls'}, and nobody saw what came of ${uses.length === 1 ? 'it' : 'them'}. Look whether it was done before you have it done again:`,
    ...uses.map(({ name, input }) => `  ${callLine(name, input)}`),
  ];
}

function firstLine(content: readonly { readonly type: string; readonly text?: string }[]): string {
  const text = content
    .map((block) => block.text ?? '')
    .join(' ')
    .replace(/^Data from[^\n]*\n`+\n/, '');
  return visibleStart(text.split('\n', 1)[0] ?? '', 200);
}

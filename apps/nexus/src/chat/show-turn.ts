import type { ChatEvent } from '@nexus/chat';
import type { ModelUsage } from '@nexus/plugin-sdk';
import { oneLine } from '../terminal/table.ts';
import { markdownRenderer, type RenderOptions } from './render-markdown.ts';

const MAX_ARGUMENTS_CHARS = 500;

/** Shows what happens in a turn, as it happens. */
export interface TurnView {
  show(event: ChatEvent): void;
  end(): void;
}

export function turnView(options: RenderOptions, write: (text: string) => void): TurnView {
  const renderer = markdownRenderer(options);
  const say = (text: string) => write(`${renderer.end()}${text}\n`);
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
            say(`[${oneLine(event.use.name)} failed: ${firstLine(event.result.content)}]`);
          break;
        case 'retry':
          say(`[asking again in ${Math.ceil(event.waitMs / 1000)} s: ${oneLine(event.reason)}]`);
          break;
        case 'summary':
          say(`[earlier exchanges are summarised from here on: ${oneLine(event.summary.text)}]`);
          break;
        default:
          break;
      }
    },
    end: () => write(renderer.end()),
  };
}

/** As the walkthrough of the source has it: `[Calling tool X with args {…}]`. */
export function callLine(name: string, input: Readonly<Record<string, unknown>>): string {
  const written = JSON.stringify(input);
  const shown = written.length > MAX_ARGUMENTS_CHARS ? `${written.slice(0, MAX_ARGUMENTS_CHARS)}…` : written;
  return `[Calling tool ${oneLine(name)} with args ${oneLine(shown)}]`;
}

export function usageLine({ inputTokens, outputTokens, costUsd }: ModelUsage): string {
  const cost = costUsd === undefined ? 'price not known' : `$${costUsd.toFixed(4)}`;
  return `${inputTokens} tokens read, ${outputTokens} written, ${cost}`;
}

function firstLine(content: readonly { readonly type: string; readonly text?: string }[]): string {
  const text = content
    .map((block) => block.text ?? '')
    .join(' ')
    .replace(/^Data from[^\n]*\n`+\n/, '');
  return oneLine(text.split('\n', 1)[0] ?? '').slice(0, 200);
}

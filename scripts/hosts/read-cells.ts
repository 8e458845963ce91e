import type { Conversation } from './conversation.ts';
import type { Cells } from './features.ts';
import type { HostRun } from './run-host.ts';

/** Words of Nexus's own instructions that no tool's description has. */
const INSTRUCTED = /to every agent of this project/;
const WHOLE = /nexus:\/\/results\/[\w-]+/;
const ERROR = 'There is no toolbox';

/** What came of the conversation that tries one thing after the other. */
export function readCells(conversation: Conversation, run: HostRun): Cells {
  const { taken, first } = conversation;
  if (!first) return { lists: `no: ${run.output.slice(-120)}` };
  const text = (key: string) => taken.get(key)?.result?.text ?? '';
  return {
    lists: 'yes',
    told: INSTRUCTED.test(first.said) ? 'yes' : 'no',
    appeared: appeared(text),
    error: times(text('error')),
    cut: WHOLE.test(text('cut')) ? 'yes' : 'no',
    // Where Nexus lists few tools, this one is called by use_tool.
    cutOwn: WHOLE.test(text(taken.get('cutOwn')?.tool === undefined ? 'cutUsed' : 'cutOwn')) ? 'yes' : 'no',
    picture: picture(taken.get('picture')?.result),
    elicitation: question(text('elicitation')),
    resource: resource(taken.get('resource')),
  };
}

function appeared(text: (key: string) => string): string {
  if (text('appeared').includes('it appeared')) return 'in the next request';
  const isUsed = text('use').includes('by use_tool');
  if (!isUsed) return 'no';
  return text('open').includes('inputSchema') ? 'by use_tool, with its schema' : 'by use_tool';
}

function times(text: string): string {
  const count = text.split(ERROR).length - 1;
  return count === 1 ? 'once' : `${count} times`;
}

function picture(result: { readonly text: string; readonly pictures: number } | undefined): string {
  if (!result) return 'not tried';
  const words = result.text.includes('[a picture') ? ', with a word beside it' : '';
  if (result.pictures > 0) return `seen${words}`;
  return result.text.includes('iVBOR') ? `as base64 text${words}` : `not shown${words}`;
}

function question(text: string): string {
  const action = /action\\*":\\*"(\w+)/.exec(text)?.[1];
  if (action !== undefined) return `answered by "${action}"`;
  return /-32601/.test(text) ? 'it offers no forms, and the call is told so' : 'not answered';
}

function resource(
  step: { readonly tool: string | undefined; readonly result?: { readonly text: string } } | undefined,
) {
  if (!step?.tool) return 'no tool of its model reads one';
  return step.result?.text.includes('maxResultChars') ? 'read' : 'not found';
}

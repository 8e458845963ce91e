import type { Conversation } from './conversation.ts';
import type { Cells } from './features.ts';
import type { ToolSeen, View } from './wire-view.ts';

/** Words of Nexus's own instructions that no tool's description has. */
const INSTRUCTED = /to every agent of this project/;
const WHOLE = /nexus:\/\/results\/[\w-]+/;
const ERROR = 'There is no toolbox';

/** What came of the conversation that tries one thing after the other. */
export function readCells({ taken }: Conversation, first: View): Cells {
  const text = (key: string) => taken.get(key)?.result?.text ?? '';
  return {
    lists: 'yes',
    told: INSTRUCTED.test(first.said) ? 'yes' : 'no',
    appeared: appeared(text),
    error: times(text('error')),
    cut: WHOLE.test(text('cut')) ? 'yes' : 'no',
    cutStructure: WHOLE.test(text('cutStructure')) ? 'yes' : 'no',
    picture: picture(taken.get('picture')?.result),
    elicitation: question(text('elicitation')),
    resource: resource(taken.get('resource')),
  };
}

/** Tools of Nexus that only a search of the host's own would find stand in no list of its requests. */
const LISTED_BY_ALL = ['memory_write', 'find_tools', 'submit_task'];
const FINDER = /^tool_?search$/i;

/** @param views what one prompt's requests gave the model, where Nexus lists all of its tools */
export function givenIn(views: readonly View[]): string {
  const names = views.flatMap(({ tools }) => tools.filter(isUndeferred).map(({ name }) => name));
  const given = LISTED_BY_ALL.filter((end) => names.some((name) => name.endsWith(end)));
  if (given.length === LISTED_BY_ALL.length) return 'all of them';
  const finder = names.find((name) => FINDER.test(name));
  if (given.length > 0) return 'some of them';
  return finder === undefined ? 'none of them' : `a search for them (${finder})`;
}

/** Anthropic's own search keeps the definitions of these from the model until they are found. */
function isUndeferred({ raw }: ToolSeen): boolean {
  return !raw.includes('"defer_loading":true');
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

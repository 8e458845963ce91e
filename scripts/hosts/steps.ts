import type { Step } from './conversation.ts';
import { MAX_RESULT_CHARS } from './make-place.ts';

const ofFake = (tool: string, given: Readonly<Record<string, unknown>> = {}) => ({
  tools: ['use_tool'],
  input: { toolbox: 'lab', server: 'fake', tool, arguments: given },
});

const FORM = {
  message: 'Which colour?',
  requestedSchema: { type: 'object', properties: { colour: { type: 'string' } } },
};

/** What hosts call their own tool that reads a server's resource. */
const READERS = ['ReadMcpResourceTool', 'read_mcp_resource', 'access_mcp_resource'];

/** What the scripted model does in every host, one after the other. */
export const STEPS = [
  { key: 'open', tools: ['open_toolbox'], input: { toolbox: 'lab' } },
  { key: 'appeared', tools: ['lab__fake__echo'], input: { message: 'it appeared' } },
  { key: 'use', ...ofFake('echo', { message: 'by use_tool' }) },
  { key: 'error', tools: ['use_tool'], input: { toolbox: 'nowhere', tool: 'nothing' } },
  { key: 'cut', ...ofFake('echo', { message: 'long '.repeat(MAX_RESULT_CHARS) }) },
  // Everything that was sent so far, the long message among it.
  { key: 'cutStructure', ...ofFake('received') },
  { key: 'picture', ...ofFake('picture') },
  { key: 'elicitation', ...ofFake('ask', { method: 'elicitation/create', params: FORM }) },
  {
    key: 'resource',
    tools: READERS,
    input: { server: 'nexus', server_name: 'nexus', uri: 'nexus://config' },
  },
] as const satisfies readonly Step[];

const LONG_CALL_MS = 90_000;
/** One call that takes longer than many clients wait, and tells nothing of itself meanwhile. */
export const LONG_CALL = [
  { key: 'long', ...ofFake('slow', { steps: 1, stepMs: LONG_CALL_MS }) },
] as const satisfies readonly Step[];

/** Calls by which the first of two hosts is at work until it is killed, however long the second takes to start. */
export const CALLS_UNTIL_KILLED: readonly Step[] = ['first', 'second', 'third', 'fourth'].map((key) => ({
  key,
  ...ofFake('slow', { steps: 1, stepMs: LONG_CALL_MS }),
}));

/** Longer than a busy machine takes from its beginning to the kill. */
const CALL_BESIDE_MS = 60_000;
/** One that is still on its way when the host beside is killed, and the one after it. */
export const CALL_BESIDE = [
  { key: 'beside', ...ofFake('slow', { steps: 1, stepMs: CALL_BESIDE_MS }) },
  { key: 'next', ...ofFake('echo', { message: 'and goes on' }) },
] as const satisfies readonly Step[];

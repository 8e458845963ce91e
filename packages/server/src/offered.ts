import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { ToolError } from '@nexus/plugin-sdk';

type Params = Readonly<Record<string, unknown>>;

/** What a client lacks to be asked this, in words; undefined where it offers all of it. */
type Lack = (client: ClientCapabilities, params: Params) => string | undefined;

const LACKS: Readonly<Record<string, Lack>> = {
  'sampling/createMessage'({ sampling }, { tools, toolChoice }) {
    if (!sampling) return 'sampling';
    return (tools || toolChoice) && !sampling.tools ? 'sampling with tools' : undefined;
  },
  'elicitation/create'({ elicitation }, { mode = 'form' }) {
    if (mode === 'url') return elicitation?.url ? undefined : 'pages for its user';
    // A client that names neither mode offers forms (MCP 2025-11-25, Elicitation, Capabilities).
    return elicitation && (elicitation.form || !elicitation.url) ? undefined : 'forms for its user';
  },
  'roots/list': ({ roots }) => (roots ? undefined : 'roots'),
};

/** @throws {ToolError} NEXUS_UNAVAILABLE where the client did not declare what the request needs */
export function assertOffered(capabilities: Params, method: string, params: Params): void {
  const lacksOf = Object.hasOwn(LACKS, method) ? LACKS[method] : undefined;
  const lack = lacksOf?.(capabilities, params);
  if (lack) throw new ToolError('NEXUS_UNAVAILABLE', `The client of this call does not offer ${lack}.`);
}

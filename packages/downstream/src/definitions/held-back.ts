import { ToolError } from '@nexus/plugin-sdk';
import { visibleToolName } from '@nexus/primitives';

/** Of one server so many are named, in so many characters: the sentence is shown whole wherever it is. */
const MAX_NAMED = 3;
const MAX_NAMED_CHARS = 70;

/** Why tools are not there, and the way on: of whatever asks for one the only answer, and of all that lists them. */
export function heldBackReason(tools: readonly string[]): string {
  const [subject, them] = tools.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${named(tools)} ${subject} held back, since the server changed what it says of ${them}; \`nexus pins\` shows the change, and accepts it`;
}

/** Who calls a tool that is held back is told so, however it was called. */
export function heldBackText({ toolbox, server, tool }: HeldAddress): string {
  return `Of ${toolbox} / ${server}: ${heldBackReason([tool])}.`;
}

/** The same as an error, which no repeating helps. */
export function heldBackError(address: HeldAddress): ToolError {
  const { toolbox, server } = address;
  return new ToolError('NEXUS_CONFLICT', heldBackText(address), { detail: { toolbox, server } });
}

interface HeldAddress {
  readonly toolbox: string;
  readonly server: string;
  /** As its server names it. */
  readonly tool: string;
}

/** The first of them, and how many others there are. */
function named(tools: readonly string[]): string {
  const shown: string[] = [];
  let chars = 0;
  for (const tool of tools) {
    const name = visibleToolName(tool);
    chars += name.length + 2;
    if (shown.length === MAX_NAMED || chars > MAX_NAMED_CHARS) break;
    shown.push(name);
  }
  const rest = tools.length - shown.length;
  if (shown.length === 0) return rest === 1 ? 'A tool' : `${rest} tools`;
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${rest} more`;
}

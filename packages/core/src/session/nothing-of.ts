import { type Root, ToolError } from '@nexus/plugin-sdk';

/** To whoever narrowed what may be read of the project to nothing of it. */
export function nothingOf({ path }: Root): ToolError {
  const text = `The roots that this client names hold nothing of this server’s project, ${path}, so there is nothing that its tools may read. Open the host in that folder or in one inside of it, or have it name no roots.`;
  return new ToolError('NEXUS_OUTSIDE_ROOTS', text);
}

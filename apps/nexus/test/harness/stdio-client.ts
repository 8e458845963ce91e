import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { bin } from './app.ts';
import type { Project } from './project.ts';

/** Connects the official client to a server of its own by stdio, as a host does. */
export async function connectStdioClient(
  client: Client,
  project: Project,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, '--mode=server'],
    cwd: project.root,
    env: { ...project.env, ...env },
  });
  await client.connect(transport);
}

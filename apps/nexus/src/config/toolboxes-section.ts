import { z } from 'zod';
import { serverFaults, TRANSPORTS } from './server-rules.ts';

const MAX_TEXT = 2_000;

/** Any printable name: what hosts are shown is made safe from it. */
const PRINTABLE = /^[^\s\p{C}]([^\p{C}]*[^\s\p{C}])?$/u;
const Name = z
  .string()
  .max(100)
  .regex(PRINTABLE, 'must be printable, at most 100 characters, with no space at its ends');
const ToolboxName = Name.refine((name) => name !== 'nexus', '"nexus" means Nexus itself; name it otherwise');

/** YAML reads `PORT: 3000` as a number, and a variable is text all the same. */
const Scalar = z.union([z.string().max(100_000), z.number(), z.boolean()]).transform(String);

const Transport = z.enum(TRANSPORTS).optional();

const ToolOverride = z
  .strictObject({
    name: z.string().min(1).max(200).optional().describe('The name it is offered by instead of its own.'),
    description: z.string().min(1).max(20_000).optional().describe('Replaces the server’s own words.'),
  })
  .describe('How one of the server’s tools is offered.');

const OAuth = z
  .strictObject({
    clientId: z.string().min(1).max(MAX_TEXT).optional().describe('Of a client registered beforehand.'),
    clientSecret: z.string().min(1).max(MAX_TEXT).optional().describe('Its secret, best as a variable.'),
    scope: z.string().min(1).max(MAX_TEXT).optional().describe('What to ask for, separated by spaces.'),
    redirectPort: z
      .int()
      .min(1)
      .max(65_535)
      .optional()
      .describe('Where the browser comes back to on this machine; by default any free port.'),
  })
  .optional()
  .describe('For an authorisation server that knows no dynamic registration of clients.');

const Server = z
  .strictObject({
    transport: Transport.describe('How it is reached; by default stdio for a command, http for a url.'),
    type: Transport.describe('The same as `transport`, as other hosts write it.'),
    command: z.string().min(1).max(MAX_TEXT).optional().describe('The program of a stdio server.'),
    args: z.array(z.string().max(100_000)).max(1_000).default([]).describe('Its arguments.'),
    env: z
      .record(z.string().min(1), Scalar)
      .prefault({})
      .describe('Its variables, beside the few that every process gets.'),
    cwd: z
      .string()
      .min(1)
      .max(MAX_TEXT)
      .optional()
      .describe('Where it runs, relative to this file; by default the project’s root.'),
    url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Where an HTTP or SSE server is.'),
    headers: z.record(z.string().min(1), Scalar).prefault({}).describe('Sent with each request to it.'),
    oauth: OAuth,
    toolFilters: z
      .array(z.string().min(1).max(200))
      .max(1_000)
      .default(['*'])
      .describe('Its tools that are offered: names, globs, and after a ! what is left out.'),
    tools: z
      .record(z.string().min(1), ToolOverride)
      .default({})
      .describe('Changes to single tools, by name.'),
    isolation: z
      .enum(['shared', 'session'])
      .default('shared')
      .describe('One process for all sessions, or one for each.'),
    timeoutMs: z
      .int()
      .min(100)
      .max(3_600_000)
      .optional()
      .describe('How long one call to it may take, in milliseconds; by default 300000.'),
    disabled: z.boolean().default(false).describe('Leaves the server out.'),
  })
  .superRefine((server, context) => {
    for (const { key, message } of serverFaults(server)) {
      context.addIssue({ code: 'custom', path: [key], message });
    }
  })
  .describe('One MCP server, as Claude Desktop and other hosts write it, and more.');

const Toolbox = z
  .strictObject({
    description: z
      .string()
      .max(MAX_TEXT)
      .default('')
      .describe('What it is good for: the host’s model reads it to choose.'),
    mcpServers: z.record(Name, Server).describe('Its servers, by name.'),
    autoOpen: z.boolean().default(false).describe('Opens it for each session at its start.'),
    prefix: z
      .boolean()
      .default(true)
      .describe('Names tools and prompts `{toolbox}__{server}__{name}`; false keeps the servers’ own names.'),
  })
  .describe('Servers that are opened together.');

/** Other MCP servers, in groups: one section of the config. */
export const ToolboxesSection = z
  .record(ToolboxName, Toolbox)
  .prefault({})
  .describe('Other MCP servers in groups; nothing of a group is started before it is opened.');

export type ToolboxesConfig = z.output<typeof ToolboxesSection>;
export type ServerConfig = ToolboxesConfig[string]['mcpServers'][string];

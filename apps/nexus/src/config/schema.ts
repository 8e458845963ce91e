import { z } from 'zod';
import { AuditSection } from './audit-section.ts';
import { HttpSection } from './http-section.ts';
import { ModelsSection } from './models-section.ts';
import { SourcesSection } from './sources-section.ts';
import { ToolboxesSection } from './toolboxes-section.ts';
import { TracesSection } from './traces-section.ts';

const ToolName = z.string().regex(/^[a-z][a-z0-9_]{0,47}$/, 'must be a tool name, such as search_codebase');

const ToolSettings = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Whether the tool is offered at all.'),
    listed: z.boolean().default(false).describe('Lists the tool in the lean profile, too.'),
    timeoutMs: z
      .int()
      .min(100)
      .max(3_600_000)
      .optional()
      .describe('How long one call may take, in milliseconds; replaces the budget of the tool’s class.'),
    defaults: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Arguments used when a call leaves them out, such as {"limit": 50}.'),
  })
  .describe('Settings of one tool.');

const NamePatterns = z.array(z.string().min(1).max(100)).max(500);

/** The config file, whole, but for the sections of plugins: those are each plugin's own `options`. */
export const ConfigSchema = z.object({
  $schema: z.string().optional().describe('Where an editor finds the JSON Schema of this file.'),
  server: z
    .strictObject({
      name: z.string().min(1).max(64).default('nexus').describe('The name hosts see at initialize.'),
      instructions: z
        .string()
        .max(10_000)
        .optional()
        .describe('Told to the host’s model at initialize, before what Nexus says of itself.'),
    })
    .prefault({})
    .describe('What the server says of itself.'),
  project: z
    .strictObject({
      id: z
        .string()
        .regex(/^[A-Za-z0-9][\w.:/@#~-]{0,199}$/, 'must be a name such as github.com/acme/app')
        .optional()
        .describe(
          'Which project this is, on a Postgres that several share; by default what its remote says, once its user trusts that. NEXUS_PROJECT_ID wins over it.',
        ),
    })
    .prefault({})
    .describe('What the project is called where several share a database.'),
  http: HttpSection,
  plugins: z
    .array(z.string().min(1).max(500))
    .max(100)
    .default([])
    .describe('Plugins beside the bundled ones: npm packages, or paths relative to this file.'),
  profile: z
    .enum(['auto', 'full', 'lean'])
    .default('auto')
    .describe(
      'full lists every tool; lean lists the few that find and use all others, and what `tools.<name>.listed` adds; auto is lean for hosts that are known to show their model a list that changes, and full for others.',
    ),
  toolMode: z
    .enum(['dynamic', 'proxy'])
    .default('dynamic')
    .describe(
      'What opening a toolbox does: dynamic lists its tools to the host, proxy answers them for use_tool.',
    ),
  toolboxes: ToolboxesSection,
  models: ModelsSection,
  sources: SourcesSection,
  audit: AuditSection,
  traces: TracesSection,
  tools: z.record(ToolName, ToolSettings).default({}).describe('Settings per tool, by its name.'),
  permissions: z
    .strictObject({
      allow: NamePatterns.optional().describe(
        'Only these tools may be called; * stands for any characters, and a toolbox’s tool is {toolbox}__{server}__{its server’s name}.',
      ),
      deny: NamePatterns.default([]).describe('These tools may not be called; wins over allow.'),
      reachOut: NamePatterns.optional().describe(
        'These tools may be called from inside tools and runs without a yes, although what calls them has untrusted text and private data together; named as in allow.',
      ),
    })
    .prefault({})
    .describe('Which tools may be called.'),
  retention: z
    .record(
      z.string().max(100),
      z.strictObject({
        days: z.number().min(1).max(36_500).optional().describe('Rows that are older go.'),
        rows: z.int().min(1).max(1_000_000_000).optional().describe('Of more than these the oldest go.'),
      }),
    )
    .default({})
    .describe('How long the rows of a table stay, by its name, in the place of what docs/retention.md says.'),
  limits: z
    .strictObject({
      callsPerSecond: z
        .number()
        .min(0.1)
        .max(1_000_000)
        .default(5_000)
        .describe('Sustained calls of one session; no honest client comes near the default.'),
      burst: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(20_000)
        .describe('Calls that one session may send beyond that rate, before it counts.'),
      callsInFlight: z
        .int()
        .min(1)
        .max(100_000)
        .default(1_000)
        .describe(
          'Calls of one session that may run at the same time; a further one is told when to come again.',
        ),
      runsPerProcess: z
        .int()
        .min(1)
        .max(1_000)
        .default(1_000)
        .describe(
          'Durable runs that one process goes on with at a time, each with all that it begins; others wait on record, or go on at a server that has room. One that only waits has no place.',
        ),
      runsPerProject: z
        .int()
        .min(1)
        .max(100_000)
        .optional()
        .describe(
          'The same for all servers of a project together, on every machine; by default as many as there are.',
        ),
      argumentCharsInFlight: z
        .int()
        .min(1_000)
        .max(4_294_967_296)
        .default(67_108_864)
        .describe('What the arguments of one session’s running calls may hold together, in characters.'),
      maxMessageBytes: z
        .int()
        .min(65_536)
        .max(1_073_741_824)
        .default(16_777_216)
        .describe('The largest message accepted, in bytes.'),
      maxResultChars: z
        .int()
        .min(1_000)
        .max(1_000_000_000)
        .default(50_000)
        .describe(
          'Lists give as many items as it holds. A longer result is cut, JSON by its shape, text in its middle; the whole is kept as a resource.',
        ),
    })
    .prefault({})
    .describe('Bounds that protect the server from a runaway client.'),
});

/** The config after checks, defaults filled in. */
export type Config = z.output<typeof ConfigSchema>;

import { isRecord } from '@nexus/core';
import type { Subject } from '../check.ts';
import { configJsonSchema } from './config-schema.ts';
import { describeType } from './describe-type.ts';
import { environment } from './environment.ts';
import { page, table } from './markdown.ts';

const INTRO =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it shows how a variable is written
  'This page is for whoever configures Nexus for a project. The config is one file: `nexus.config.json`, `nexus.config.yaml` or `nexus.config.yml`. Nexus looks for it in the working directory and in each folder above, up to the top of the repository; without a repository it looks in the working directory alone. Where a project has none, the one in the user’s config directory is used. The prohibitions and limits of that one also hold beside a project’s file ([which](decisions/0122-a-projects-config-lifts-no-prohibition.md)). `--config`, `NEXUS_CONFIG` or `WORKBENCH_CONFIG` name another file. JSON may have comments and trailing commas. Every key is optional. What the config runs, loads or sends is used only once the user trusts it (`nexus trust`, [security.md](security.md#a-projects-config)). With a fault in it Nexus does not start, and names all faults at once. Where a server of a toolbox lacks a variable or a program, only that server is left out, and named. In every text, `${VAR}` and `${VAR:-default}` stand for environment variables. In a toolbox these are the variables of the host that opens it, and `${workspaceFolder}` is the project’s folder. For editors that complete and check the file, write `"$schema": "./node_modules/nexus-mcp/nexus.config.schema.json"`.';

const MCP_BLOCK =
  'A config that was written for an older server may have one block `mcp` with `server` and `tools`. Nexus reads it as the sections of the same names; where both have a key, the section wins. `mcp.server.name` is kept, `version` and `capabilities` are left out, and `transport` may be `stdio` alone. In `mcp.tools`, `timeout` is `timeoutMs`, `maxTurns` and `dryRunDefault` are the defaults `maxIterations` and `dryRun`, `workflow` is `run_workflow`, and a tool that does not exist here is left out. The log names at level `info` what was left out; any other key is a fault.';

/** docs/configuration.md: every key of the config file, and the environment variables. */
export function configurationPage(subject: Pick<Subject, 'configSchema' | 'plugins'>): string {
  const rows = keyRows(configJsonSchema(subject), '');
  const variables = Object.entries(environment).map(([name, text]) => [`\`${name}\``, text]);
  return page('Configuration', [
    INTRO,
    table(['Key', 'Type', 'Default', 'What it is'], rows),
    '## Environment',
    table(['Variable', 'What it does'], variables),
    '## The block `mcp`',
    MCP_BLOCK,
  ]);
}

function keyRows(schema: Readonly<Record<string, unknown>>, path: string): string[][] {
  return Object.entries(isRecord(schema.properties) ? schema.properties : {}).flatMap(([name, property]) => {
    if (!isRecord(property)) return [];
    const key = path === '' ? name : `${path}.${name}`;
    const preset = isRecord(property.default) || property.default === undefined ? '' : code(property.default);
    const row = [`\`${key}\``, describeType(property), preset, String(property.description ?? '')];
    const values = isRecord(property.additionalProperties) ? property.additionalProperties : {};
    return [row, ...keyRows(property, key), ...keyRows(values, `${key}.<name>`)];
  });
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

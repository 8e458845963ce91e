import { BUDGETS_MS, HINT_NAMES, isRecord, type ToolListing } from '@nexus/core';
import { toWholeOutputSchema, wholeInputOf, withRunOutput } from '@nexus/core/definitions';
import type { AnyPlugin, AnyTool } from '@nexus/plugin-sdk';
import { type ListedTool, listedTools } from '../listed-tools.ts';
import { describeType } from './describe-type.ts';
import { page, table } from './markdown.ts';

/** docs/tools.md: every tool with what goes in and comes out. */
export function toolsPage(plugins: readonly AnyPlugin[]): string {
  const tools = listedTools(plugins);
  const names = [...new Set(tools.map(({ plugin }) => plugin))].sort();
  const sections = names.flatMap((name) => [
    `## ${name}`,
    ...tools.filter(({ plugin }) => plugin === name).flatMap(toolBlocks),
  ]);
  const intro = `This page is for whoever calls a tool, or decides which are offered. ${tools.length} tools of ${names.length} plugins. Every tool states the four behaviour hints of MCP; its budget is how long a call may take, which \`tools.<name>.timeoutMs\` in the config changes.`;
  return page('Tools', [intro, ...sections]);
}

function toolBlocks({ tool, listing }: ListedTool): string[] {
  const inputs = rowsOf(wholeInputOf(tool));
  const outputs = tool.answersWholeResult ? [] : answerRows(wholeOutput(tool, listing), '');
  return [
    `### ${tool.name}`,
    `**${tool.title}.** ${tool.description}`,
    `Hints: ${HINT_NAMES.map((hint) => `${hint} ${tool.annotations[hint] ? 'yes' : 'no'}`).join(', ')}. Budget: ${tool.budget}, ${BUDGETS_MS[tool.budget] / 1000} s.`,
    inputs.length === 0
      ? 'Takes no arguments.'
      : table(['Argument', 'Type', 'Default', 'What it is'], inputs),
    tool.answersWholeResult
      ? 'Answers with content as it is, without a schema: text to be read, or the result of the tool that it calls.'
      : table(['Answer', 'Type', 'What it is'], outputs),
  ];
}

function rowsOf(schema: Readonly<Record<string, unknown>>): string[][] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(isRecord(schema.properties) ? schema.properties : {}).map(([name, property]) => {
    const { description, default: preset } = isRecord(property) ? property : {};
    const absent = required.includes(name) ? 'required' : '';
    const value = preset === undefined ? absent : `\`${JSON.stringify(preset)}\``;
    return [`\`${name}\``, describeType(property), value, String(description ?? '')];
  });
}

/** What it answers, with what members hold, of which the list shows an outline; `jobId` and such as they are listed. */
function wholeOutput(tool: AnyTool, { outputSchema }: ToolListing): unknown {
  const listed = isRecord(outputSchema?.properties) ? outputSchema.properties : {};
  const { properties } = toWholeOutputSchema(withRunOutput(tool));
  return { properties: { ...listed, ...(isRecord(properties) ? properties : {}) } };
}

/** A row for each member, those of members below them: `votes[].voter`. */
function answerRows(schema: unknown, prefix: string): string[][] {
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
  return Object.entries(properties).flatMap(([name, property]) => {
    const { description, items } = isRecord(property) ? property : {};
    const path = `${prefix}${name}`;
    return [
      [`\`${path}\``, describeType(property), String(description ?? '')],
      ...answerRows(property, `${path}.`),
      ...answerRows(items, `${path}[].`),
    ];
  });
}

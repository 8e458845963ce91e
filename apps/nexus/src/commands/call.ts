import { invalidParams } from '@nexus/core';
import type { RunDetail, ToolCallResult } from '@nexus/plugin-sdk';
import { visibleText } from '@nexus/untrusted/shown';
import { findTool } from '../client/every-tool.ts';
import { say } from '../terminal/output.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { endLines, withoutWayOn } from '../terminal/run-end.ts';
import { shown } from '../terminal/shown.ts';
import { ARGUMENT_FORMS, argumentFiles, callArguments } from './call-arguments.ts';
import { type Command, configOption, verboseOption } from './command.ts';
import { nothingCalled } from './nothing-called.ts';
import { showCall } from './show-call.ts';

export const call: Command = {
  usage: 'call <tool> [arguments...]',
  summary: `call a tool; its arguments are ${ARGUMENT_FORMS}`,
  needsTrust: true,
  options: [
    { flags: '--json', description: 'print the whole result as JSON' },
    { flags: '--yes', description: 'destroy what the tool would show first, without a question' },
    configOption,
    verboseOption,
  ],
  examples: [
    'call search_codebase query=TODO limit=5',
    `call bundle 'ops:=[{"tool": "memory_stats", "arguments": {}}]'`,
    'call memory_write backend=session key=notes value=@notes.md',
    'call notes__memory__read_graph    # a tool of a toolbox, as `nexus toolbox open` names it',
    `call extract_symbols '{"filePath": "src/index.ts"}'`,
    'call memory_query query="release process" --json',
  ],
  run([tool, words], options, commands = []) {
    const name = String(tool);
    return showCall(options, {
      async prepare(connection) {
        const found = await findTool(connection, name);
        if (!found) throw invalidParams(await nothingCalled(connection, { name, behind: 'call', commands }));
        const schema = found.listing.inputSchema;
        const given = (words ?? []) as readonly string[];
        return { tool: name, arguments: callArguments(given, { schema, ...argumentFiles }) };
      },
      progress: progressLine(process.stderr),
      print: printAnswer,
      comeBack: 'nexus call',
      argumentsHint: () =>
        `\`nexus tools ${name}\` shows its arguments, \`nexus call --help\` how to write them.`,
    });
  },
};

/** A tool answers as it does; where its run failed, the person is told what to type to go on with it. */
function printAnswer(result: ToolCallResult, run: RunDetail | undefined): void {
  const isTold = run !== undefined && result.isError === true;
  printResult(isTold ? withoutWayOn(result) : result);
  for (const line of isTold ? endLines(run) : []) say(line);
}

/**
 * Structured answers indented, errors on stderr. Other content is for a file or a program what it is, to the character;
 * for a person at a terminal what would act on that stands there as an escape.
 */
export function printResult(result: ToolCallResult): void {
  if (result.structuredContent && !result.isError) {
    process.stdout.write(`${visibleText(JSON.stringify(result.structuredContent, null, 2))}\n`);
    return;
  }
  const out = result.isError ? process.stderr : process.stdout;
  for (const block of result.content) {
    const text = block.text ?? JSON.stringify(block);
    // What failed is said in sentences, which break between words; what was asked for stays to the character.
    const seen = result.isError ? shown(text, out) : visibleText(text);
    out.write(`${out.isTTY ? seen : text}\n`);
  }
}

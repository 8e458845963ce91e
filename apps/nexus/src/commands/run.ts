import { stripVTControlCharacters } from 'node:util';
import { isRecord } from '@nexus/core';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { stepLines } from '../terminal/step-lines.ts';
import { printResult } from './call.ts';
import { argumentFiles, callArguments } from './call-arguments.ts';
import { type Command, configOption, verboseOption } from './command.ts';
import { print } from './output.ts';
import { showCall, type ToolSchema } from './show-call.ts';

export const run: Command = {
  usage: 'run <tool> [arguments...]',
  summary: 'call a tool that works by steps, and show them live; its arguments are those of `nexus call`',
  needsTrust: true,
  options: [{ flags: '--json', description: 'print the whole result as JSON' }, configOption, verboseOption],
  examples: [
    'run orchestrate "Where could a login be forged?"',
    'run orchestrate task=@request.md maxIterations=20',
    'run orchestrate resume=run_0123456789abcdef0123456789abcdef',
    'run orchestrate "Review src/auth" --json',
  ],
  run([tool, words], options) {
    const name = String(tool);
    const steps = stepLines(process.stderr);
    let runId: string | undefined;
    const kept = () => {
      if (runId === undefined) return;
      process.stderr.write(
        `What is done is kept: \`nexus runs ${runId}\` shows it, \`nexus run ${name} resume=${runId}\` goes on with it.\n`,
      );
    };
    return showCall(
      { tool: name, words: (words ?? []) as readonly string[], options },
      {
        readArguments: (all, schema) => runArguments(all, schema),
        progress: {
          show(report) {
            const message = String(report.message ?? '');
            runId ??= /^run (run_\w+)$/.exec(message)?.[1];
            steps.show(message);
          },
          clear: steps.end,
        },
        print: printAnswer,
        onInterrupted: kept,
      },
    );
  },
};

/** As `nexus call` takes them, and one text alone for the first text that the tool takes. */
function runArguments(words: readonly string[], schema: ToolSchema): Record<string, unknown> {
  const [only] = words;
  const isText = words.length === 1 && only !== undefined && !/^(\w+:?=|[@{]|-$)/.test(only.trimStart());
  const first = isText ? firstText(schema) : undefined;
  return first === undefined ? callArguments(words, { schema, ...argumentFiles }) : { [first]: only };
}

function firstText(schema: ToolSchema): string | undefined {
  const properties = isRecord(schema?.properties) ? schema.properties : {};
  return Object.keys(properties).find((name) => {
    const property = properties[name];
    return isRecord(property) && property.type === 'string';
  });
}

/** For a person: the text that was written for one, where there is such. */
function printAnswer(result: ToolCallResult): void {
  const answer = result.structuredContent;
  if (result.isError || !isRecord(answer) || typeof answer.summary !== 'string') {
    printResult(result);
    return;
  }
  const { summary, recommendations, runId } = answer;
  const items = Array.isArray(recommendations) ? recommendations.map((each) => `- ${each}`) : [];
  const text = [summary.trim(), items.join('\n')].filter(Boolean).join('\n\n');
  print([stripVTControlCharacters(text)]);
  if (typeof runId === 'string') process.stderr.write(`\`nexus runs ${runId}\` shows how it came about.\n`);
}

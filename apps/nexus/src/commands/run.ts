import { isRecord } from '@nexus/core';
import type { RunDetail, ToolCallResult } from '@nexus/plugin-sdk';
import type { NexusConnection } from '../client/connect-to-nexus.ts';
import { findTool } from '../client/every-tool.ts';
import { RefusedError } from '../client/read-tool.ts';
import { fail, say } from '../terminal/output.ts';
import { endLines, withoutWayOn } from '../terminal/run-end.ts';
import { runView } from '../terminal/run-view.ts';
import { isPath, whatToRun } from '../workflows/what-to-run.ts';
import { argumentFiles, callArguments } from './call-arguments.ts';
import { checkWorkflow } from './check-workflow.ts';
import { type Command, configOption, type Options, verboseOption } from './command.ts';
import { nothingCalled } from './nothing-called.ts';
import { printToolAnswer } from './print-tool-answer.ts';
import { type CallToMake, showCall } from './show-call.ts';
import { dryRun, givenInputs, workflowCall } from './workflow-call.ts';

/** How often what a running step takes is shown. */
const TICK_MS = 1_000;

type Schema = Readonly<Record<string, unknown>> | undefined;

/** What does a sentence. */
const ORCHESTRATE = 'orchestrate';

export const run: Command = {
  usage: 'run <what> [arguments...]',
  summary:
    'run a workflow (its name or file), a tool that works by steps, or a request in words (by orchestrate), and show its steps live',
  needsTrust: true,
  options: [
    {
      flags: '--check',
      description: 'run nothing: show a workflow’s plan, the inputs it lacks, and every fault',
    },
    {
      flags: '--wait',
      description: 'without a terminal: wait until the run’s questions are answered elsewhere',
    },
    { flags: '--json', description: 'print the whole result as JSON' },
    configOption,
    verboseOption,
  ],
  examples: [
    'run standards-review directory=src',
    'run .nexus/workflows/mine.yaml            # asks for inputs that are missing',
    'run --check .nexus/workflows/mine.yaml',
    'run graph:code-review path=src/login.ts   # where a workflow and a graph are called alike',
    'run resume_run run_0123456789abcdef0123456789abcdef',
    'run "Where could a login be forged?"      # by orchestrate',
    'run orchestrate task=@request.md maxIterations=20',
  ],
  async run([given, more], options, commands = []) {
    const what = String(given);
    const words = (more ?? []) as readonly string[];
    if (what.trim() === '')
      return fail(
        'say what to run: a workflow, a tool that works by steps, or a request in words; `nexus run --help` shows how',
      );
    const view = runView(process.stderr);
    const ticking = setInterval(view.tick, TICK_MS);
    return showCall(options, {
      prepare: (connection, signal) => callOf(connection, { what, words, options, commands, signal }),
      progress: view,
      print: printAnswer,
      waits: options.wait === true,
      comeBack: 'nexus run',
    }).finally(() => clearInterval(ticking));
  },
};

interface Asked {
  readonly what: string;
  readonly words: readonly string[];
  readonly options: Options;
  readonly commands: readonly string[];
  readonly signal: AbortSignal;
}

async function callOf(
  connection: NexusConnection,
  { what, words, options, commands, signal }: Asked,
): Promise<CallToMake | number> {
  const meant = await whatToRun(connection, what);
  if (meant.type === 'workflow') {
    const found = await dryRun(connection, meant.template).catch(async (error: unknown) => {
      const isNone = error instanceof RefusedError && error.code === 'NEXUS_NOT_FOUND';
      throw isNone && !isPath(what)
        ? new Error(await nothingCalled(connection, { name: what, behind: 'run', commands }))
        : error;
    });
    if (options.check) {
      // Which inputs there are says the first.
      const whole =
        words.length === 0 || found.inputs === undefined
          ? found
          : await dryRun(connection, meant.template, givenInputs(found, words));
      return checkWorkflow(whole, options);
    }
    return workflowCall(meant.template, found, { words, signal });
  }
  if (options.check) return fail(`--check is for workflows, and "${what}" is none`);
  const [tool, all] =
    meant.type === 'tool' ? [meant.tool, words] : [await findTool(connection, ORCHESTRATE), [what, ...words]];
  const schema = tool?.listing.inputSchema;
  return { tool: tool?.listing.name ?? ORCHESTRATE, arguments: runArguments(all, schema) };
}

/** As `nexus call` takes them, and a first text that is none of them for the first text that the tool takes. */
function runArguments(words: readonly string[], schema: Schema): Record<string, unknown> {
  const [only, ...rest] = words;
  const isText = only !== undefined && !/^(\w+:?=|[@{]|-$)/.test(only.trimStart());
  const first = isText ? firstText(schema) : undefined;
  if (first === undefined) return callArguments(words, { schema, ...argumentFiles });
  return { [first]: only, ...callArguments(rest, { schema, ...argumentFiles }) };
}

function firstText(schema: Schema): string | undefined {
  const properties = isRecord(schema?.properties) ? schema.properties : {};
  return Object.keys(properties).find((name) => {
    const property = properties[name];
    return isRecord(property) && property.type === 'string';
  });
}

/** For a person: the text that was written for one, where there is such, and what all of it came to. */
function printAnswer(result: ToolCallResult, run: RunDetail | undefined): void {
  printToolAnswer(run ? withoutWayOn(result) : result);
  for (const line of run ? endLines(run) : []) say(line);
}

import { isAbsolute, relative, sep } from 'node:path';
import type { z } from 'zod';
import type { CallContext, Resumption } from '../../context.ts';
import type { Spend } from '../../models/ledger.ts';
import { ToolError } from '../../tool-error.ts';
import type { RunKindName } from '../run-kind.ts';
import type { Run } from '../runs.ts';
import { answerInputs } from './answer-inputs.ts';
import type { Needs, PreparedRunTool } from './run-tool.ts';

const MAX_TITLE_CHARS = 100;

/**
 * The run that a call is about, or an answer without one. Its key is looked up before anything else, for the same
 * arguments stand for the same run, whatever the world is like by now.
 * @throws {ToolError} NEXUS_CONFLICT where its key stands for other arguments
 */
export async function runOfCall<
  State,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  RunInput,
  RunOutput,
>(
  tool: PreparedRunTool<State, Input, Output, RunInput, RunOutput>,
  given: z.output<Input>,
  call: CallContext<State>,
): Promise<{ readonly run: Run } | { readonly answer: z.input<Output> }> {
  const { kind, needs = {} } = tool;
  if (call.inputs) return { run: await answerInputs(call.inputs, kind, call) };
  if (call.resumes) return { run: await resumed(tool, call.resumes, call) };
  const { runs } = call.host;
  const { idempotencyKey: key } = call;
  const cap = tool.cap?.(call.state, given);
  const by = { caller: call, cap };
  const keyed = key === undefined ? {} : { key, request: given };
  const standing =
    key === undefined ? undefined : await runs.startedUnder(kind, { ...by, key, request: given });
  if (standing) return { run: standing };
  const beginning = await tool.prepare(given, call);
  if ('answer' in beginning) return beginning;
  await assertThere({ ...needs, kinds: [...(needs.kinds ?? []), kind] }, call);
  const { input, title, ...start } = beginning;
  const roots = await rootsInProject(call);
  return { run: await runs.start(kind, input, { ...start, title: lineOf(title), roots, ...by, ...keyed }) };
}

/** What of the project its caller may read, relative to it; undefined for all of it. What lies beside it is left out. */
async function rootsInProject({ roots, host }: CallContext): Promise<string[] | undefined> {
  // Outside of a project there may be none, which is an error to who reads there, and no other.
  const known = await roots().catch(() => []);
  const project = projectOf(host);
  if (project === undefined) return undefined;
  const paths = known.map(({ path }) => relative(project, path));
  if (paths.includes('')) return undefined;
  return paths.filter((path) => !isAbsolute(path) && path.split(sep)[0] !== '..');
}

/** @throws {ToolError} NEXUS_NOT_FOUND; NEXUS_CONFLICT for a run of another kind */
async function resumed<State, Input extends z.ZodObject, Output extends z.ZodObject, RunInput, RunOutput>(
  tool: PreparedRunTool<State, Input, Output, RunInput, RunOutput>,
  resumption: Resumption,
  call: CallContext<State>,
): Promise<Run> {
  const { runId, from, maxTokens } = resumption;
  const { user, idempotencyKey: key } = call;
  const { runs } = call.host;
  const earlier = await runs.get(runId, { user });
  assertOfKind(earlier, tool.kind);
  await assertThere(tool.needs ?? {}, call);
  const again = { caller: call, user, cap: capped(tool.cap?.(call.state, {}), maxTokens) };
  if (from === undefined) return runs.takeUp(earlier.id, { ...again, key });
  return runs.rerun(earlier.id, {
    ...again,
    from,
    ...(key === undefined ? {} : { key, request: resumption }),
  });
}

/** Who resumes may set less than the tool does, and not more. */
function capped(cap: Partial<Spend> | undefined, tokens: number | undefined): Partial<Spend> | undefined {
  return tokens === undefined ? cap : { ...cap, tokens: Math.min(tokens, cap?.tokens ?? tokens) };
}

function assertOfKind({ id, kind }: Run, wanted: RunKindName): void {
  if (kind === wanted.name) return;
  const text = `Run ${id} is a ${kind}, not a ${wanted.name}; \`nexus runs ${id}\` shows it.`;
  throw new ToolError('NEXUS_CONFLICT', text, { detail: { runId: id, kind } });
}

/** @throws {ToolError} NEXUS_UNAVAILABLE, NEXUS_NO_MODEL */
async function assertThere({ kinds = [], model }: Needs, call: CallContext): Promise<void> {
  const missing = kinds.filter((kind) => !call.host.runs.knows(kind)).map(({ name }) => name.split('.')[0]);
  if (missing.length > 0) {
    const named = missing.map((plugin) => `the plugin "${plugin}"`).join(' and ');
    const text = `The work needs ${named}, which is not there. Take it back into the config.`;
    throw new ToolError('NEXUS_UNAVAILABLE', text, { detail: { plugins: missing } });
  }
  if (model) await call.host.models.route(model, call);
}

function lineOf(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_TITLE_CHARS ? line : `${line.slice(0, MAX_TITLE_CHARS - 1)}…`;
}

function projectOf(host: CallContext['host']): string | undefined {
  try {
    return host.projectRoot;
  } catch {
    return undefined; // there is nothing to narrow
  }
}

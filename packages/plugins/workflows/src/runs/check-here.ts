import {
  type ArgumentFault,
  expertTurn,
  type Host,
  type SessionScope,
  type ToolCaller,
  vote,
} from '@nexus/plugin-sdk';
import { type Choice, choiceFault } from '../asking/choice-fault.ts';
import { errorPolicy, expert, votingStrategy } from '../asking/choices.ts';
import type { FoundFile } from '../catalogue/workflow-entry.ts';
import type { Fault } from '../definition/fault.ts';
import { hasExpression } from '../definition/file-check.ts';
import type { PlacedWork } from '../definition/placed-work.ts';
import { readUses } from '../definition/uses.ts';
import { noSuchTool, toolMeant } from './tool-meant.ts';

/** Who does the steps, as far as one caller on one server can have them. */
export interface Here {
  readonly session: SessionScope;
  readonly tools: ToolCaller;
  readonly host: Pick<Host, 'runs' | 'toolboxes'>;
}

/** What of a file can't be done here: before anything is done, where `isFinal`. */
export interface FaultHere extends Fault {
  /** Whether a run would not begin; else a step of it may fail, or never come. */
  readonly isFinal: boolean;
}

export async function faultsHere({ work }: FoundFile, here: Here): Promise<FaultHere[]> {
  const found = await Promise.all(work.map((each) => faultsOf(each, here)));
  return found.flat();
}

async function faultsOf(work: PlacedWork, { session, tools, host }: Here): Promise<FaultHere[]> {
  const fault = (message: string, isFinal: boolean): FaultHere[] => [
    { ...work.usesAt, path: `${work.path}.uses`, message, isFinal },
  ];
  const uses = readUses(work.uses);
  switch (uses?.type) {
    case 'tool': {
      const meant = toolMeant(tools, uses.tool);
      if (meant) return argumentFaults(work, await tools.check(meant.name, work.with));
      // Its run reaches it, and then its arguments are looked at; its server may have it, or take others, by then.
      if (isOfToolbox(uses.tool, await host.toolboxes.names())) {
        const why = await host.toolboxes.whyNot(uses.tool, session);
        if (why !== undefined) return fault(why, false);
        const call = { origin: uses.tool, arguments: work.with };
        const found = argumentFaults(work, await host.toolboxes.check(call, session));
        return found.map((each) => ({ ...each, isFinal: false }));
      }
      return fault(noSuchTool(uses.tool, tools), true);
    }
    case 'expert':
      if (!host.runs.knows(expertTurn)) return fault(missing('experts'), false);
      return choiceFaults([{ choice: expert, named: uses.role, at: 'uses' }], work, host);
    case 'vote':
      if (!host.runs.knows(vote)) return fault(missing('consensus'), false);
      return choiceFaults(
        [
          { choice: votingStrategy, named: work.with.strategy, at: 'with.strategy' },
          { choice: errorPolicy, named: work.with.errorPolicy, at: 'with.errorPolicy' },
        ],
        work,
        host,
      );
    case 'wait': {
      const lacking = busToolsOf(work).find((tool) => !tools.find(tool));
      return lacking === undefined ? [] : fault(noSuchTool(lacking, tools), true);
    }
    case 'prove': // says itself what it lacks
    case 'ask':
    case undefined:
      return []; // found when the file was read
  }
}

interface Named {
  readonly choice: Choice;
  readonly named: unknown;
  /** In the step. */
  readonly at: string;
}

/** Names that the plugin which does the step has not; what an expression gives is known later. */
function choiceFaults(
  asked: readonly Named[],
  { path, usesAt, withAt }: PlacedWork,
  { runs }: Pick<Host, 'runs'>,
): FaultHere[] {
  return asked.flatMap(({ choice, named, at }) => {
    const isName = typeof named === 'string' && !hasExpression(named);
    const message = isName ? choiceFault(runs, choice, named) : undefined;
    if (message === undefined) return [];
    return [{ ...(withAt[choice.field] ?? usesAt), path: `${path}.${at}`, message, isFinal: true }];
  });
}

/** Whether a name is that of a tool which some server of a toolbox may have. */
function isOfToolbox(named: string, toolboxes: Awaited<ReturnType<Host['toolboxes']['names']>>): boolean {
  return toolboxes.some(({ name, servers }) =>
    servers.some((server) => named.startsWith(`${name}__${server}__`)),
  );
}

/** What of the bus a wait calls. */
function busToolsOf({ with: given }: PlacedWork): readonly string[] {
  if (given.task !== undefined) return ['task_status'];
  return given.message === undefined ? [] : ['register_worker', 'fetch_inbox'];
}

/** Arguments that the tool would refuse, as far as they are no expressions: what those give is known later. */
function argumentFaults(
  { path, with: given, usesAt, withAt }: PlacedWork,
  found: readonly ArgumentFault[],
): FaultHere[] {
  return found.flatMap(({ path: at, message }) => {
    const [argument = ''] = at.split('.');
    if (hasExpression(given[argument])) return [];
    const place = withAt[argument] ?? usesAt;
    return [{ ...place, path: [path, 'with', ...(at === '' ? [] : [at])].join('.'), message, isFinal: true }];
  });
}

function missing(plugin: string): string {
  return `NEXUS_UNAVAILABLE: the plugin "${plugin}", which does this, is not there; it must be on for this server`;
}

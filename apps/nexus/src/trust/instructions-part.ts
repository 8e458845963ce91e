import { join } from 'node:path';
import { stableHash } from '@nexus/primitives';
import type { Environment } from '../config/expansion/index.ts';
import { type Head, instructionsOf } from '../project/brief/instructions.ts';
import type { InstructionTrust } from '../project/brief/project-brief.ts';
import type { Part } from './part.ts';
import { isAnyoneTrusted } from './trust.ts';
import { isTrusted, recordStamp } from './trust-record.ts';

/**
 * The instructions that a project has for agents: orders to models once its user trusts them, as they stand. They wait
 * for no start and ask for nothing, since until then they are told as data.
 */
export async function instructionsPart(projectRoot: string): Promise<Part | undefined> {
  const found = await instructionsOf({ projectRoot, privatePaths: [] });
  return found && partOf(projectRoot, found);
}

export function instructionTrust(projectRoot: string, environment: Environment): InstructionTrust {
  const isAnyones = isAnyoneTrusted(environment);
  return {
    isOwn: (instructions) => isAnyones || isTrusted(partOf(projectRoot, instructions)),
    stamp: () => recordStamp(placeOf(projectRoot)),
  };
}

function partOf(projectRoot: string, { name, text }: Head): Part {
  return {
    place: placeOf(projectRoot),
    path: ['instructions', name],
    name: `instructions: ${name}`,
    lines: [`tells every model what to do, by ${name}:`, ...text.split('\n').map((line) => `  ${line}`)],
    hash: stableHash([name, text]),
  };
}

/** One place for all such files of a project, so that its user's word is of the one that is read. */
function placeOf(projectRoot: string): string {
  return join(projectRoot, 'instructions');
}

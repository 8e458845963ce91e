import { readFile } from '../definition/read-file.ts';
import { groundIn } from '../spec/evidence.ts';
import { structureOf } from '../spec/report.ts';
import { requirementFaults, soundRequirements } from '../spec/requirements.ts';

/** Everything of this plugin that reads what others wrote: workflow files, specifications, files that are quoted. */
export const readers = { readFile, structureOf, requirementFaults, soundRequirements, groundIn };

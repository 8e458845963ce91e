import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../workspace/workspace.ts';
import type { Step } from './steps.ts';
import { readTestReport, type TestReport } from './test-report.ts';

type Kind = NonNullable<Step['report']>;

/** The package script that writes each kind of report. */
const WRITERS = { unit: 'test', e2e: 'test:e2e', slow: 'test:slow' } as const;
/** Those of the scripts themselves lie at the root. */
const AT_ROOT = { scripts: 'unit', simulate: 'simulate', 'simulate-slow': 'simulate-slow' } as const;

export interface Reports {
  readonly present: readonly TestReport[];
  /** Reports that should be there and are not. */
  readonly missing: readonly string[];
}

/** Reads one report of each package that has such tests; undefined for a step that has none. */
export function readReports(workspace: Workspace, kind: Kind | undefined): Reports | undefined {
  if (kind === undefined) return undefined;
  const files = reportFiles(workspace, kind);
  const present = files.filter((file) => existsSync(file));
  return {
    present: present.map((file) => readTestReport(readFileSync(file, 'utf8'))),
    missing: files.filter((file) => !present.includes(file)),
  };
}

/** So that no count of an earlier run is taken for this one's; turbo puts those of cached runs back. */
export function removeReports(workspace: Workspace): void {
  for (const kind of ['unit', 'e2e', 'slow', 'scripts', 'simulate', 'simulate-slow'] as const) {
    for (const file of reportFiles(workspace, kind)) rmSync(file, { force: true });
  }
}

function reportFiles(workspace: Workspace, kind: Kind): string[] {
  if (kind in AT_ROOT)
    return [join(workspace.root, '.reports', `${AT_ROOT[kind as keyof typeof AT_ROOT]}.json`)];
  const writer = WRITERS[kind as keyof typeof WRITERS];
  return workspace.packages
    .filter(({ manifest }) => manifest.scripts?.[writer] !== undefined)
    .map(({ folder }) => join(workspace.root, folder, '.reports', `${kind}.json`));
}

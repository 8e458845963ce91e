import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeDifference, differences } from '../../apps/nexus/src/governance/drift/differences.ts';
import type { Subject } from './check.ts';
import { renderStructure, STRUCTURE_FILE } from './checks/structure-page.ts';
import { generatedFiles } from './generated-files.ts';
import { LOCK_FILE, readLock, readWay } from './lock.ts';
import { memory } from './ways-in/memory.ts';

const NO_LOCK = { tools: {}, resources: {}, resourceTemplates: {}, prompts: {} };

/** Writes the lock and the generated files anew; gives the lines that say what changed. */
export async function update(subject: Subject): Promise<string[]> {
  const { lock } = await readWay(memory);
  const drift = differences({ ...(readLock(subject.workspace) ?? NO_LOCK) }, { ...lock });
  const files = [
    { file: STRUCTURE_FILE, text: await renderStructure(subject.workspace) },
    { file: LOCK_FILE, text: `${JSON.stringify(lock, null, 2)}\n` },
    ...generatedFiles.map(({ file, render }) => ({ file, text: render(subject) })),
  ];
  const written = files.filter((each) => writeIfChanged(subject, each)).map(({ file }) => file);
  if (written.length === 0) return ['Lock and generated files are current.'];
  const pages = written.filter((file) => file !== LOCK_FILE);
  return [
    ...written.map((file) => `wrote ${file}`),
    ...drift.map(describeDifference),
    ...(pages.length > 0 ? [gitDiff(subject.workspace.root, pages)] : []),
  ];
}

function writeIfChanged(
  { workspace: { files, read, root } }: Subject,
  { file, text }: { file: string; text: string },
): boolean {
  if (files.includes(file) && read(file) === text) return false;
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  return true;
}

function gitDiff(root: string, files: readonly string[]): string {
  return execFileSync('git', ['--no-pager', 'diff', '--unified=0', '--', ...files], {
    cwd: root,
    encoding: 'utf8',
  }).trimEnd();
}

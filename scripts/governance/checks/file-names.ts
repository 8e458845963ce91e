import { posix } from 'node:path';
import type { Workspace } from '../../workspace/workspace.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'file-names';
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
/** Names that say nothing of what is inside, so that anything ends up there. */
const EMPTY_NAMES = /^(utils?|helpers?|common|misc|managers?)$/;
/** Exports by name, one a line where there are many; plugin-sdk has the most, being all of the contract. */
const MAX_INDEX_LINES = 180;

export const fileNames: Check = {
  name: NAME,
  proves:
    'files are named in kebab-case for what is in them, an index.ts is a short list of exports, and each decision has a number of its own',
  run({ workspace }) {
    const files = workspace.files.filter(
      (file) => /^(apps|packages|scripts)\/.*\.ts$/.test(file) && !file.includes('/fixtures/'),
    );
    if (files.length === 0) return lookedAtNothing(NAME, 'source files');
    return [
      ...files.flatMap((file) => [...misnamed(file), ...indexFindings(workspace, file)]),
      ...sharedNumbers(workspace.files),
    ];
  },
};

/** Decisions that were numbered side by side. */
function sharedNumbers(files: readonly string[]): Finding[] {
  const decisions = files.filter((file) => /^docs\/decisions\/\d{4}-/.test(file)).sort();
  const numberOf = (file: string) => posix.basename(file).slice(0, 4);
  return decisions
    .filter((file, at) => at > 0 && numberOf(file) === numberOf(decisions[at - 1] ?? ''))
    .map((where) => {
      const what = `another decision has the number ${numberOf(where)} too`;
      return { check: NAME, where, what, fix: 'give the later one the next free number, and mend its links' };
    });
}

function misnamed(file: string): Finding[] {
  const parts = file.split('/').map((part) => part.replace(/\.ts$/, ''));
  const odd = parts.find((part) => !KEBAB.test(part));
  if (odd) {
    return [{ check: NAME, where: file, what: `"${odd}" is not kebab-case`, fix: 'use a-z, 0-9 and dashes' }];
  }
  const empty = parts.flatMap((part) => part.split('.')).find((part) => EMPTY_NAMES.test(part));
  if (empty === undefined) return [];
  return [
    { check: NAME, where: file, what: `"${empty}" names no content`, fix: 'name it for what is in it' },
  ];
}

function indexFindings(workspace: Workspace, file: string): Finding[] {
  if (posix.basename(file) !== 'index.ts') return [];
  const text = workspace.read(file);
  const lines = text.trimEnd().split('\n').length;
  const findings: Finding[] = [];
  if (lines > MAX_INDEX_LINES) {
    const what = `has ${lines} lines; allowed are ${MAX_INDEX_LINES}`;
    findings.push({ check: NAME, where: file, what, fix: 'export from it only what other packages use' });
  }
  if (/^export \* from/m.test(text)) {
    findings.push({ check: NAME, where: file, what: 'exports everything of a file', fix: 'export by name' });
  }
  return findings;
}

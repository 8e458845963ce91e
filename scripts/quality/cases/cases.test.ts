import { beforeAll, describe, expect, it } from 'vitest';
import { passes } from '../hidden-test.ts';
import { cases, kinds } from './cases.ts';
import { cleanEdits } from './clean-edits.ts';
import { faults } from './faults.ts';
import { type PackageName, packages } from './packages.ts';
import { questions } from './questions.ts';
import { applied, lineOf, load, type Tree } from './trees.ts';

const names = Object.keys(packages) as PackageName[];
const trees = new Map<PackageName, Tree>();
let unreached = '';

beforeAll(async () => {
  if (process.env.NEXUS_TEST_NPM === undefined) {
    unreached = 'NEXUS_TEST_NPM is not set';
    process.stderr.write(
      '\n*** NOT CHECKED: the cases of the bench of quality are made from packages of npm; NEXUS_TEST_NPM=1 has them fetched and checked.\n\n',
    );
    return;
  }
  try {
    for (const name of names) trees.set(name, await load({ package: name }));
  } catch (error) {
    unreached = error instanceof Error ? error.message : String(error);
    if (unreached.includes('is not what is pinned')) throw error;
    process.stderr.write(
      `\n*** NOT CHECKED: the cases of the bench of quality are made from packages, and npm could not be reached: ${unreached.slice(0, 300)}\n\n`,
    );
  }
}, 300_000);

const codeOf = (name: PackageName) => trees.get(name)?.[packages[name].file] ?? '';

it('there are at least forty cases, some of each kind, each with a name of its own', () => {
  expect(cases.length).toBeGreaterThanOrEqual(40);
  for (const kind of kinds) expect(cases.filter((each) => each.kind === kind).length).toBeGreaterThan(5);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  expect(cases.some((each) => each.kind === 'spec' && each.isMet)).toBe(true);
  expect(cases.some((each) => each.kind === 'spec' && !each.isMet)).toBe(true);
});

describe('as npm serves the packages', () => {
  it.for(faults)(
    '$id: the hidden test fails with the fault, and passes without it',
    async (fault, { skip }) => {
      if (unreached !== '') skip(unreached);
      const { file } = packages[fault.package];
      const tree = trees.get(fault.package) as Tree;
      const faulty = applied(codeOf(fault.package), fault);
      expect(await passes(tree, file, fault.test)).toBe(true);
      expect(await passes({ ...tree, [file]: faulty }, file, fault.test)).toBe(false);
      const line = lineOf(faulty, fault);
      const near = (text: string) => text.split('\n').slice(line - 1, line + 1);
      expect(near(faulty)).not.toEqual(near(codeOf(fault.package)));
    },
  );

  it.for(cleanEdits)('$package: a clean change passes every hidden test of it', async (edit, { skip }) => {
    if (unreached !== '') skip(unreached);
    const { file } = packages[edit.package];
    const tree = { ...trees.get(edit.package), [file]: applied(codeOf(edit.package), edit) };
    const tests = faults.filter((fault) => fault.package === edit.package).map(({ test }) => test);
    expect(tests.length).toBeGreaterThan(0);
    for (const test of tests) expect(await passes(tree, file, test)).toBe(true);
  });

  it.for(questions)(
    '$package: what the question asks stands in the code',
    ({ package: name, where }, { skip }) => {
      if (unreached !== '') skip(unreached);
      expect(codeOf(name)).toContain(where);
    },
  );
});

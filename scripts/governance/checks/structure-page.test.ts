import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { memoryWorkspace } from '../../workspace/memory-workspace.ts';
import { fixtureSubject } from '../fixture-subject.ts';
import { renderStructure, STRUCTURE_FILE, structure } from './structure-page.ts';

it('finds a drawing that is not of the house as it is', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-structure-')));
  const source = {
    'packages/client/src/index.ts': "export { one } from './connection.ts';\n",
    'packages/client/src/connection.ts': 'export const one = 1;\n',
  };
  for (const [file, content] of Object.entries(source)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  const check = (page: string) => {
    const workspace = { ...memoryWorkspace({ ...source, [STRUCTURE_FILE]: page }), root };
    return structure.run({ ...fixtureSubject(), workspace });
  };
  try {
    const page = await renderStructure({ ...memoryWorkspace(source), root });
    expect(page).toContain('2 rooms on 2 floors, 1 arrows, 0 of them back up.');
    expect(await check(page)).toEqual([]);
    expect(await check(page.replace('index --> connection', ''))).toMatchObject([
      { where: STRUCTURE_FILE, what: expect.stringContaining('should be "  index --> connection"') },
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
  expect(await structure.run(fixtureSubject())).toMatchObject([{ what: 'looked at no folders of source' }]);
});

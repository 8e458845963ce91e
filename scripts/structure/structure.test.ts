import type { ICruiseResult } from 'dependency-cruiser';
import { expect, it, describe as suite } from 'vitest';
import { openWorkspace, repositoryRoot } from '../workspace/open-workspace.ts';
import { describe, draw } from './draw.ts';
import floors from './floors.json' with { type: 'json' };
import { packagesOf, roomsOf } from './house.ts';
import { stack } from './stack.ts';

/** What dependency-cruiser says of files, as far as it is read. */
function modules(imports: Readonly<Record<string, readonly string[]>>): ICruiseResult['modules'] {
  return Object.entries(imports).map(
    ([source, resolved]) =>
      ({
        source,
        dependencies: resolved.map((each) => ({ resolved: each })),
      }) as unknown as ICruiseResult['modules'][number],
  );
}

const house = modules({
  'packages/a/src/top.ts': [
    'packages/a/src/middle/x.ts',
    'packages/a/src/ground.ts',
    'packages/b/src/index.ts',
  ],
  'packages/a/src/middle/x.ts': ['packages/a/src/ground.ts', 'packages/a/src/middle/y.ts'],
  'packages/a/src/middle/y.ts': ['packages/a/src/ground.ts'],
  'packages/a/src/ground.ts': ['packages/a/src/middle/y.ts', 'node_modules/kysely/index.js'],
  'packages/a/src/ground.test.ts': ['packages/a/src/top.ts'],
  'packages/plugins/p/src/index.ts': ['packages/b/src/index.ts'],
  'packages/b/src/index.ts': [],
});

suite('the drawing', () => {
  it('has files and folders as rooms, and counts an arrow once, tests left out', () => {
    expect(roomsOf(house, 'packages/a/src')).toEqual({
      rooms: ['ground', 'middle', 'top'],
      arrows: [
        { from: 'ground', to: 'middle', imports: 1 },
        { from: 'middle', to: 'ground', imports: 2 },
        { from: 'top', to: 'ground', imports: 1 },
        { from: 'top', to: 'middle', imports: 1 },
      ],
    });
  });

  it('has packages as rooms of the whole house', () => {
    expect(packagesOf(house)).toEqual({
      rooms: ['packages/a', 'packages/b', 'packages/plugins/p'],
      arrows: [
        { from: 'packages/a', to: 'packages/b', imports: 1 },
        { from: 'packages/plugins/p', to: 'packages/b', imports: 1 },
      ],
    });
  });

  it('lays who imports above whom, shows what runs back up, and leaves out what others make up', () => {
    const stacked = stack(roomsOf(house, 'packages/a/src'));
    expect(describe(stacked)).toBe('3 rooms on 3 floors, 4 arrows, 1 of them back up.');
    expect(draw(stacked)).toBe(
      [
        'flowchart TD',
        '  subgraph floor3[" "]',
        '    top["top"]',
        '  end',
        '  subgraph floor2[" "]',
        '    middle["middle"]',
        '  end',
        '  subgraph floor1[" "]',
        '    ground["ground"]',
        '  end',
        '  middle --> ground',
        '  top --> middle',
        '  ground -. back up .-> middle',
      ].join('\n'),
    );
  });
});

it('every room that has a floor is there', () => {
  const { files } = openWorkspace(repositoryRoot);
  for (const [folder, order] of Object.entries(floors)) {
    for (const room of order.flat()) {
      const path = `${folder}/${room}`;
      expect(
        files.some((file) => file === `${path}.ts` || file.startsWith(`${path}/`)),
        path,
      ).toBe(true);
    }
  }
});

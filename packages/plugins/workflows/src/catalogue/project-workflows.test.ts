import fs, {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '@nexus/plugin-sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readFile } from '../definition/read-file.ts';
import type { Room } from '../reading/room.ts';
import { FOLDER } from './project-file.ts';
import { ProjectWorkflows } from './project-workflows.ts';

const workflow = (name: string) => `name: ${name}\ndescription: A.\nsteps: [{ id: a, uses: 'tool:echo' }]\n`;

let root: string;
let own: ProjectWorkflows;
let opened: string[];
const room = { visit: () => async (_: string, text: string) => readFile(text) } as unknown as Room;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-own-')));
  mkdirSync(join(root, FOLDER), { recursive: true });
  own = new ProjectWorkflows({ projectRoot: root, privatePaths: [] } as unknown as Host, room);
  opened = [];
  const { open } = fs.promises;
  vi.spyOn(fs.promises, 'open').mockImplementation((path, ...how) => {
    opened.push(String(path).slice(root.length + 1));
    return open(path, ...how);
  });
  // What imports it by its name has it too.
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  rmSync(root, { recursive: true });
});

const write = (file: string, text: string) => writeFileSync(join(root, file), text);
const seenBy = (...folders: string[]) => ({
  signal: new AbortController().signal,
  roots: async () => folders.map((folder) => ({ path: join(root, folder), name: folder })),
});
const everywhere = seenBy('');
const names = async () => (await own.list(everywhere)).entries.map(({ definition }) => definition.name);
/** As if what was changed so far had been changed some time ago. */
const later = () => {
  const now = Date.now() + 10_000;
  vi.spyOn(Date, 'now').mockReturnValue(now);
};

it('opens a file again only once it has changed', async () => {
  const file = `${FOLDER}/a.yaml`;
  write(file, workflow('one'));
  later();
  expect([await names(), await names()]).toEqual([['one'], ['one']]);
  expect(opened).toEqual([file]);
  // Of the same length, and with the same time as before for whoever asks only that.
  write(file, workflow('two'));
  utimesSync(join(root, file), new Date(0), new Date(0));
  expect(await names()).toEqual(['two']);
  rmSync(join(root, file));
  expect(await names()).toEqual([]);
});

it('opens a file each time that was changed so lately that another change could have the same time', async () => {
  const file = `${FOLDER}/a.yaml`;
  write(file, workflow('one'));
  expect([await names(), await names()]).toEqual([['one'], ['one']]);
  expect(opened).toEqual([file, file]);
});

it('tells nobody of a file that it has read for others, and that lies out of their sight', async () => {
  mkdirSync(join(root, 'secret'));
  write('secret/a.yaml', workflow('secret'));
  symlinkSync(join(root, 'secret/a.yaml'), join(root, FOLDER, 'link.yaml'));
  later();
  for (let time = 1; time <= 2; time += 1) {
    expect((await own.read(`${FOLDER}/link.yaml`, everywhere)).file).toBe(`${FOLDER}/link.yaml`);
    for (const looking of [seenBy('.nexus'), seenBy('secret'), seenBy('src')]) {
      const read = own.read(`${FOLDER}/link.yaml`, looking);
      await expect(read).rejects.toMatchObject({ code: 'NEXUS_OUTSIDE_ROOTS' });
    }
  }
  expect(opened).toHaveLength(1);
});

it('follows a link to where it leads now', async () => {
  for (const name of ['one', 'two']) write(`${name}.yaml`, workflow(name));
  const link = join(root, FOLDER, 'link.yaml');
  symlinkSync(join(root, 'one.yaml'), link);
  later();
  expect([await names(), await names()]).toEqual([['one'], ['one']]);
  rmSync(link);
  symlinkSync(join(root, 'two.yaml'), link);
  expect(await names()).toEqual(['two']);
});

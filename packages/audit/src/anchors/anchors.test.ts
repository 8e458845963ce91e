import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createStore } from '@nexus/store';
import { findPostgres, startPostgres } from '@nexus/testing';
import { describe, expect, it } from 'vitest';
import { call, madeTrail } from '../../test/made-trail.ts';
import { type Anchor, databaseAnchor, fileAnchor, gitAnchor, type RunGit, urlAnchor } from '../index.ts';
import { rowText } from './anchor.ts';

interface Place extends AsyncDisposable {
  readonly anchor: (root: string) => Anchor;
  /** Takes the newest row away, as who can write the place would. */
  rewind(): Promise<void> | void;
}

async function file(): Promise<Place> {
  let path = '';
  return {
    anchor(root) {
      path = join(root, 'elsewhere', 'rows.jsonl');
      return fileAnchor(path);
    },
    rewind() {
      const rows = readFileSync(path, 'utf8').split('\n').filter(Boolean);
      writeFileSync(
        path,
        rows
          .slice(0, -1)
          .map((row) => `${row}\n`)
          .join(''),
      );
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** The whole of a server for anchors, as docs/audit.md says it. */
async function url(): Promise<Place & { readonly rows: string[]; readonly url: string }> {
  const rows: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== 'Bearer t0ken') return response.writeHead(401).end();
    if (request.method === 'GET') return response.end(rows.join(''));
    let body = '';
    for await (const chunk of request) body += chunk;
    rows.push(body);
    return response.writeHead(201).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/anchors`;
  return {
    rows,
    url: at,
    anchor: () => urlAnchor(`${at}?user=secret`, 't0ken'),
    rewind: () => void rows.pop(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const IDENTITY = ['-c', 'user.name=n', '-c', 'user.email=n@localhost'];

const gitIn =
  (cwd: string): RunGit =>
  async (args, allowExits = []) => {
    const { status, stdout, stderr } = spawnSync('git', [...IDENTITY, ...args], { cwd, encoding: 'utf8' });
    if (status !== 0 && !allowExits.includes(status ?? -1)) throw new Error(stderr);
    return { exitCode: status ?? -1, output: stdout };
  };

async function git(): Promise<Place> {
  let folder = '';
  const run = (...args: string[]) => gitIn(folder)(args);
  return {
    anchor(root) {
      folder = join(root, 'repository');
      mkdirSync(folder);
      execFileSync('git', ['init', '-q'], { cwd: folder });
      return gitAnchor(folder, 'refs/nexus/audit', gitIn(folder));
    },
    async rewind() {
      await run('update-ref', 'refs/nexus/audit', 'refs/nexus/audit~1');
    },
    async [Symbol.asyncDispose]() {},
  };
}

const binaries = findPostgres();
if (!binaries)
  console.warn('No Postgres on this machine (initdb, postgres): anchors by machines are not tested.');

async function database(): Promise<Place> {
  if (!binaries) throw new Error('no Postgres');
  const postgres = await startPostgres(binaries);
  const databaseUrl = await postgres.createSchema();
  const store = createStore({ projectId: 'test', dataDir: '', databaseUrl });
  return {
    anchor: () => databaseAnchor(store),
    async rewind() {
      const db = await store.open<{ audit_checkpoints: { number: number } }>('audit', []);
      const newest = db.selectFrom('audit_checkpoints').select(({ fn }) => fn.max('number').as('number'));
      await db.deleteFrom('audit_checkpoints').where('number', '=', newest).execute();
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      await postgres.stop();
    },
  };
}

const places = { file, url, git, ...(binaries ? { database } : {}) };

describe.each(Object.entries(places))('an anchor by %s', (_, open) => {
  it('has what was brought to it, and is found out when it is rewound', async () => {
    await using place = await open();
    using made = madeTrail('p', (root) => [place.anchor(root)]);
    const one = await made.begin();
    expect(await made.verify()).toMatchObject({ fresh: undefined, faults: [], anchors: [] });
    for (const tool of ['a', 'b']) {
      call(one, tool);
      expect(await one.checkpoint()).toMatchObject({ failed: [], anchored: [expect.any(String)] });
    }
    expect(await made.verify()).toMatchObject({
      unaltered: true,
      fresh: true,
      behind: [],
      faults: [],
      anchors: [
        {
          anchor: expect.stringMatching(/rows.jsonl|http.*anchors$|refs.nexus.audit of|database/),
          number: 2,
        },
      ],
    });
    await place.rewind();
    expect(await made.verify()).toMatchObject({
      unaltered: false,
      fresh: false,
      faults: [{ kind: 'anchor_rewound', what: expect.stringMatching(/the newest of them 2/) }],
      anchors: [{ number: 1 }],
    });
    await one.close();
  });
});

it('by url fails with what the server says, leads nowhere else, and is told of without what is secret', async () => {
  await using place = await url();
  const row = { verifier: 'v', note: 'n' };
  await expect(urlAnchor(place.url, 'other').add(row, 1)).rejects.toThrow('it answered 401');
  await expect(urlAnchor('http://127.0.0.1:9/').read()).rejects.toThrow(/ECONNREFUSED|bad port/);
  expect(urlAnchor('https://ada:pw@a.example/x?key=1').name).toBe('https://a.example/x');
  place.rows.push('half a r', `\n${rowText(row)}\n`);
  expect(await urlAnchor(place.url, 't0ken').read()).toEqual([row]);
});

it('by url takes no answer that is longer than rows of checkpoints are, and says so', async () => {
  const part = Buffer.alloc(1024 * 1024, '\n');
  const server = createServer((_, response) => {
    const more = () => response.write(part, (error) => error ?? more());
    more();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(urlAnchor(`http://127.0.0.1:${port}/`).read()).rejects.toThrow(
    'it answered more than 67108864 bytes, which is more than rows of checkpoints are; see what is at that address',
  );
  server.closeAllConnections();
  server.close();
});

it('by git keeps both of two checkpoints that come at once, and says where there is no repository', async () => {
  await using place = await git();
  using made = madeTrail('p', (root) => [place.anchor(root)]);
  const folder = join(made.root, 'repository');
  const anchor = gitAnchor(folder, 'refs/nexus/audit', gitIn(folder));
  const rows = ['1', '2', '3'].map((note) => ({ verifier: 'v', note }));
  await Promise.all(rows.map((row, index) => anchor.add(row, index)));
  expect((await anchor.read()).map(({ note }) => note).sort()).toEqual(['1', '2', '3']);
  const nowhere = gitAnchor(made.root, 'refs/nexus/audit', gitIn(made.root));
  await expect(nowhere.add({ verifier: 'v', note: 'n' }, 1)).rejects.toThrow(/not a git repository/);
});

it('by file adds nothing to one that has something else than rows, and goes on after half a row', async () => {
  using made = madeTrail('p', () => []);
  const row = { verifier: 'v', note: 'n' };
  const add = async (text: string) => {
    const path = join(made.root, 'rows.jsonl');
    writeFileSync(path, text);
    await fileAnchor(path).add(row, 1);
    return fileAnchor(path).read();
  };
  for (const text of ['', '\n', '\n{"veri', '{"verifier":"v","no']) expect(await add(text)).toEqual([row]);
  expect(await add(`\n${rowText(row)}\n`)).toEqual([row, row]);
  await expect(add('export const work = 1;\n')).rejects.toThrow('it has something else than checkpoints');
  expect(readFileSync(join(made.root, 'rows.jsonl'), 'utf8')).toBe('export const work = 1;\n');
});

describe('an anchor by git', () => {
  const row = { verifier: 'v', note: 'n' };

  async function repository(root: string): Promise<RunGit> {
    const run = gitIn(root);
    await run(['init', '-q', '-b', 'main']);
    writeFileSync(join(root, 'work.txt'), 'work');
    await run(['add', 'work.txt']);
    await run(['commit', '-q', '-m', JSON.stringify(row)]);
    return run;
  }
  const tipOf = async (run: RunGit, ref: string) => (await run(['rev-parse', ref])).output;

  it('adds nothing to a ref that has something else than checkpoints', async () => {
    using made = madeTrail('p', () => []);
    const run = await repository(made.root);
    const before = await tipOf(run, 'main');
    await run(['update-ref', 'refs/nexus/audit', 'main']);
    await run(['symbolic-ref', 'refs/nexus/same', 'refs/heads/main']);
    await run(['commit', '-q', '--allow-empty', '-m', 'empty']);
    const { output: tree } = await run(['mktree'], []);
    const { output: bare } = await run(['commit-tree', tree.trim(), '-m', 'no row']);
    await run(['update-ref', 'refs/nexus/bare', bare.trim()]);
    const main = await tipOf(run, 'main');
    for (const ref of ['refs/nexus/audit', 'refs/nexus/same', 'refs/nexus/bare', 'refs/heads/main']) {
      await expect(gitAnchor(made.root, ref, run).add(row, 1)).rejects.toThrow(
        /has something else than checkpoints: .* name a ref of its own/,
      );
    }
    expect([await tipOf(run, 'main'), await tipOf(run, 'refs/nexus/audit')]).toEqual([main, before]);
  });

  it('makes no branch that a symbolic ref names', async () => {
    using made = madeTrail('p', () => []);
    const run = await repository(made.root);
    await run(['symbolic-ref', 'refs/nexus/audit', 'refs/heads/later']);
    const anchor = gitAnchor(made.root, 'refs/nexus/audit', run);
    await anchor.add(row, 1);
    await anchor.add(row, 2);
    expect(await anchor.read()).toEqual([row, row]);
    expect((await run(['branch', '--list', 'later'])).output).toBe('');
  });
});

/** A place where several trails meet. */
function meetingPlace() {
  const rows: { verifier: string; note: string }[] = [];
  const anchor: Anchor = {
    name: 'the place',
    async add(row) {
      rows.push(row);
    },
    read: async () => rows,
    newest: async () => rows,
  };
  return { rows, anchor };
}

it('where machines meet, each knows what another’s trail and its rows have lost', async () => {
  const { rows, anchor } = meetingPlace();
  using here = madeTrail('p@1', () => [anchor]);
  using there = madeTrail('p@2', () => [anchor]);
  const one = await here.begin();
  const two = await there.begin();
  call(one, 'a');
  await one.checkpoint();
  call(two, 'b');
  await two.checkpoint();
  await one.checkpoint();
  expect(await here.verify()).toMatchObject({ unaltered: true, fresh: true, faults: [] });
  expect(await there.verify()).toMatchObject({ unaltered: true, fresh: true, faults: [] });
  // All that the first machine brought there goes, and its own trail with it.
  const gone = rows.filter(({ note }) => note.startsWith('nexus/audit/p%401\n'));
  expect(gone).toHaveLength(2);
  rows.splice(0, rows.length, ...rows.filter((row) => !gone.includes(row)));
  expect(await there.verify()).toMatchObject({
    unaltered: false,
    faults: [
      {
        kind: 'anchor_rewound',
        where: 'the place',
        what: expect.stringMatching(
          /^checkpoint 1 of nexus.audit.p%401, which event \d+ of writer .* is gone$/,
        ),
      },
    ],
  });
  await one.close();
  await two.close();
});

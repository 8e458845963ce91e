import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import type { Message } from '../harness/session.ts';
import { verifies, verifiesAnew } from '../harness/verifies.ts';

const errorOf = ({ result }: Message) => result?._meta?.['nexus/error'];

/** A tool that takes one file, and one that takes a folder or file. */
const readers = [
  { name: 'extract_symbols', argumentsFor: (path: string) => ({ filePath: path }) },
  { name: 'search_codebase', argumentsFor: (path: string) => ({ query: 'secret', directory: path }) },
];

verifiesAnew('files.inside', 'refuses paths that lead outside', async (way) => {
  await using outside = await makeProject({ files: { 'secret.ts': 'export const secret = 1;\n' } });
  await using project = await makeProject({ files: { 'src/inside.ts': 'export const inside = 1;\n' } });
  await symlink(outside.root, project.path('linked'));
  await symlink(outside.path('secret.ts'), project.path('src/linked.ts'));
  await using server = await way.open(project);
  const paths = [
    '../../../etc/passwd',
    'src/../../data',
    outside.path('secret.ts'),
    '/etc/passwd',
    'linked/secret.ts',
    'linked',
    'src/linked.ts',
  ];
  for (const { name, argumentsFor } of readers) {
    for (const path of paths) {
      const answer = await server.session.call(name, argumentsFor(path));
      expect(errorOf(answer), `${name} ${path}`).toMatchObject({
        code: 'NEXUS_OUTSIDE_ROOTS',
        category: 'permission',
      });
      expect(answer.result.content[0].text).toContain(path);
      expect(JSON.stringify(answer)).not.toMatch(/root:x|export const secret/);
    }
  }
  const { result } = await server.session.call('search_codebase', { query: 'secret' });
  expect(result.structuredContent.total).toBe(0);
});

const LIMIT = 10_000;

verifies('files.readable', 'says what is wrong with a file', async (way) => {
  const files = {
    'src/binary.ts': Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 0, 1),
    'src/huge.ts': `// ${'x'.repeat(LIMIT)}\n`,
    'src/other.ts': '',
  };
  await using project = await makeProject({ files, config: { code: { maxFileBytes: LIMIT } } });
  await using server = await way.open(project);
  const faults = [
    ['src/othr.ts', 'NEXUS_NOT_FOUND', /src\/other\.ts/],
    ['src/binary.ts', 'NEXUS_FILE_UNREADABLE', /binary/],
    ['src/huge.ts', 'NEXUS_FILE_UNREADABLE', /10004 bytes.*limit is 10000.*code\.maxFileBytes/],
  ] as const;
  for (const { name, argumentsFor } of readers) {
    for (const [path, code, message] of faults) {
      const answer = await server.session.call(name, argumentsFor(path));
      expect(errorOf(answer), `${name} ${path}`).toMatchObject({ code });
      expect(answer.result.content[0].text).toMatch(message);
    }
  }
});

// The superuser may read everything, so there is nothing to be refused.
const isRefusable = process.getuid !== undefined && process.getuid() !== 0;

verifies('files.readable', 'says that a file may not be read', async (way) => {
  await using project = await makeProject({ files: { 'closed.ts': '', 'open.ts': '' } });
  await chmod(project.path('closed.ts'), 0o000);
  await using server = await way.open(project);
  for (const { name, argumentsFor } of readers) {
    const error = errorOf(await server.session.call(name, argumentsFor('closed.ts')));
    if (isRefusable) expect(error).toMatchObject({ code: 'NEXUS_FILE_UNREADABLE' });
    else expect(error).toBeUndefined();
  }
});

verifiesAnew('roots.honoured', 'reads the roots of the client, and follows their changes', async (way) => {
  await using other = await makeProject({ files: { 'elsewhere.ts': 'const elsewhere = 1;\n' } });
  await using third = await makeProject({ files: { 'third.ts': 'const elsewhere = 3;\n' } });
  await using project = await makeProject({ files: { 'here.ts': 'const elsewhere = 2;\n' } });
  let roots = [{ uri: pathToFileURL(other.root).href, name: 'other' }];
  await using server = await way.open(project, { capabilities: { roots: { listChanged: true } } });
  const { session } = server;
  session.onRequest('roots/list', () => ({ roots }));
  const search = async () => {
    const { result } = await session.call('search_codebase', { query: 'elsewhere' });
    return result.structuredContent.hits.map(({ file }: { file: string }) => file).sort();
  };
  if (way.name === 'http') {
    // Who comes by the network can only narrow what is read: roots.test.ts.
    const answer = await session.call('search_codebase', { query: 'elsewhere' });
    return expect(errorOf(answer)).toMatchObject({ code: 'NEXUS_OUTSIDE_ROOTS' });
  }
  expect(await search()).toEqual([join(other.root, 'elsewhere.ts'), 'here.ts'].sort());
  roots = [{ uri: pathToFileURL(third.root).href, name: 'third' }];
  session.notify('notifications/roots/list_changed');
  expect(await search()).toEqual([join(third.root, 'third.ts'), 'here.ts'].sort());
  const answer = await session.call('search_codebase', { query: 'x', directory: other.root });
  expect(errorOf(answer)).toMatchObject({ code: 'NEXUS_OUTSIDE_ROOTS' });
});

verifiesAnew(
  'roots.honoured',
  'keeps to the project when the client names roots that are no folders',
  async (way) => {
    await using project = await makeProject({ files: { 'here.ts': 'const here = 2;\n' } });
    await using server = await way.open(project, { capabilities: { roots: {} } });
    const roots = [{ uri: 'https://example.org/' }, { uri: 'file:///no/such/folder' }];
    server.session.onRequest('roots/list', () => ({ roots }));
    const { result } = await server.session.call('search_codebase', { query: 'here' });
    expect(result.structuredContent.total).toBe(1);
  },
);

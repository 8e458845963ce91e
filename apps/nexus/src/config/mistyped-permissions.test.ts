import { expect, it } from 'vitest';
import type { defaultConfig } from './default-config.ts';
import { mistypedPermissions } from './mistyped-permissions.ts';

const tools = ['memory_query', 'search_codebase'];
const config = (permissions: object, toolboxes = {}) => ({
  permissions: { deny: [], ...permissions },
  toolboxes: toolboxes as typeof defaultConfig.toolboxes,
});

it('names what no tool is called, with the nearest', () => {
  const permissions = {
    allow: ['memory_query', 'search_*'],
    deny: ['search_codebas', 'memory_query', 'zzz'],
  };
  expect(mistypedPermissions(config(permissions), tools)).toEqual([
    'permissions.deny names "search_codebas", and no tool is called that; did you mean search_codebase?',
    expect.stringContaining('permissions.deny names "zzz", and no tool is called that'),
  ]);
});

it('leaves alone what a toolbox may have', () => {
  expect(mistypedPermissions(config({ deny: ['box__server__tool'] }), tools)).toEqual([]);
  const bare = { box: { description: '', autoOpen: false, prefix: false, mcpServers: {} } };
  expect(mistypedPermissions(config({ deny: ['tool'] }, bare), tools)).toEqual([]);
});

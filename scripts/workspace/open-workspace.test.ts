import { describe, expect, it } from 'vitest';
import { openWorkspace } from './open-workspace.ts';

describe('openWorkspace', () => {
  const workspace = openWorkspace();

  it('lists the files of this repository, and none that git ignores', () => {
    expect(workspace.files).toContain('scripts/workspace/open-workspace.ts');
    expect(workspace.files.filter((file) => file.includes('node_modules/'))).toEqual([]);
  });

  it('finds its packages', () => {
    expect(workspace.packages.map((found) => found.folder)).toContain('packages/core');
  });

  it('reads a file by its path', () => {
    expect(JSON.parse(workspace.read('package.json')).name).toBe('nexus-workspace');
  });
});

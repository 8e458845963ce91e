import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryWorkspace } from '../workspace/memory-workspace.ts';
import { readReports, removeReports } from './test-reports.ts';

const green = { numPassedTests: 2, numPendingTests: 0, numTodoTests: 0, testResults: [] };
const tested = memoryWorkspace({
  'packages/core/package.json': { name: 'core', scripts: { test: 'vitest run' } },
  'packages/data/package.json': { name: 'data' },
  'apps/nexus/package.json': { name: 'app', scripts: { test: 'vitest run', 'test:e2e': 'vitest run' } },
});

let root: string;
const workspace = () => ({ ...tested, root });
const write = (file: string, content: object) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), JSON.stringify(content));
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nexus-reports-'));
});
afterEach(() => rmSync(root, { recursive: true }));

describe('readReports', () => {
  it('wants a report of each package that has such tests, and of no other', () => {
    write('packages/core/.reports/unit.json', green);
    const reports = readReports(workspace(), 'unit');
    expect(reports?.present).toEqual([
      { counts: { passed: 2, failed: 0, skipped: 0 }, failures: [], times: [] },
    ]);
    expect(reports?.missing).toEqual([join(root, 'apps/nexus/.reports/unit.json')]);
  });

  it('tells unit from end-to-end reports', () => {
    write('apps/nexus/.reports/e2e.json', green);
    expect(readReports(workspace(), 'e2e')?.missing).toEqual([]);
  });

  it('has none for a step without tests', () => {
    expect(readReports(workspace(), undefined)).toBeUndefined();
  });
});

describe('removeReports', () => {
  it('leaves no report of an earlier run to be counted', () => {
    write('packages/core/.reports/unit.json', green);
    write('.reports/unit.json', green);
    removeReports(workspace());
    expect(readReports(workspace(), 'unit')?.present).toEqual([]);
    expect(readReports(workspace(), 'scripts')?.present).toEqual([]);
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { segmentsOf, writersOf } from '../src/chain/places.ts';
import type { Committed } from '../src/commit/commit-to.ts';
import {
  type Anchor,
  fileAnchor,
  openKey,
  openTrail,
  type Trail,
  type TrailParts,
  verifyTrail,
} from '../src/index.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A folder with a trail, its key and its anchor apart, which goes when the test ends. */
export function madeTrail(project = 'p', anchorsIn?: (root: string) => readonly Anchor[]) {
  const root = mkdtempSync(join(tmpdir(), 'nexus-audit-'));
  const trail = join(root, 'audit');
  const keyFile = join(root, 'key', 'audit.pem');
  const anchorFile = join(root, 'elsewhere', 'anchor.jsonl');
  const anchors = anchorsIn?.(root) ?? [fileAnchor(anchorFile)];
  const parts = (changed: Partial<TrailParts> = {}): TrailParts => ({
    trail,
    project,
    begin: { pid: 1 },
    contents: 'committed',
    keepDays: 365,
    keyFile,
    anchors,
    checkpointEveryMs: 3_600_000,
    log: quiet,
    ...changed,
  });
  return {
    root,
    trail,
    keyFile,
    anchorFile,
    /** One more writer, as another process would be. */
    async begin(changed: Partial<TrailParts> = {}): Promise<Trail> {
      const opened = openTrail(parts(changed));
      await opened.open();
      return opened;
    },
    verify: (changed: { project?: string; isKeyKnown?: boolean } = {}) =>
      verifyTrail({
        trail,
        project: changed.project ?? project,
        key: changed.isKeyKnown === false ? undefined : openKey(keyFile, 'nexus').text,
        otherKeys: openKey(keyFile, 'nexus').others?.map(({ text }) => text) ?? [],
        anchors,
      }),
    /** The files of the only writer, or of the one whose chain tells of `holding`. */
    files(holding = ''): string[] {
      const all = writersOf(trail).map(({ folder }) => segmentsOf(folder));
      return all.find((files) => files.some((file) => readFileSync(file, 'utf8').includes(holding))) ?? [];
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

export type MadeTrail = ReturnType<typeof madeTrail>;

/** A call on record, from its begin to its outcome. */
export function call(trail: Trail, tool: string): void {
  const intent = trail.append({
    kind: 'call.intent',
    data: { tool },
    texts: trail.commitTo({ arguments: { tool } }) as Committed,
  });
  trail.append({ kind: 'call.outcome', data: { intent, ok: true } });
}

export function changeLines(file: string, change: (lines: string[]) => readonly string[]): void {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  writeFileSync(
    file,
    change(lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

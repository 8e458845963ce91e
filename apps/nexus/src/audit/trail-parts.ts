import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { TrailParts } from '@nexus/audit';
import { userConfigDir } from '../config/places.ts';
import type { LoadedConfig } from '../loaded-config/load-config.ts';
import { version } from '../version.ts';
import { knownTrailFile, knowTrail } from './known-trails.ts';
import { secretsFromStart } from './secret-uses.ts';
import { trustInForce } from './trust-event.ts';

export function trailFolder(dataDir: string): string {
  return join(dataDir, 'audit');
}

export function auditKeyFile({ config, configFile, projectRoot }: LoadedConfig): string {
  const { keyFile } = config.audit;
  if (keyFile === undefined) return usualKeyFile();
  return resolve(configFile ? dirname(configFile) : projectRoot, keyFile);
}

/** Where no config says otherwise. */
export function usualKeyFile(): string {
  return join(userConfigDir(), 'audit-key.pem');
}

/**
 * What the trail's project is called in it. It stays what it was when the trail began, since each event names it, though a
 * project may get another id; undefined where there is no trail yet.
 */
export function trailProject(trail: string): string | undefined {
  const file = join(trail, 'project');
  // Empty where the disk was full as it was made.
  return (existsSync(file) && readFileSync(file, 'utf8').trim()) || undefined;
}

/** What a trail of this config is opened with; begins it where there is none. */
export function trailParts(loaded: LoadedConfig): Omit<TrailParts, 'anchors' | 'log'> {
  const { config, dataDir, projectRoot } = loaded;
  const trail = trailFolder(dataDir);
  const now = loaded.identify().id;
  const project = trailProject(trail) ?? beginTrail(trail, now);
  knowTrail(knownTrailFile(auditKeyFile(loaded), trail), { trail, name: project });
  return {
    trail,
    project,
    begin: {
      product: 'nexus',
      version,
      pid: process.pid,
      project: now,
      root: projectRoot,
      trusted: trustInForce(loaded.trust),
      secrets: secretsFromStart(loaded),
    },
    contents: config.audit.contents,
    keepDays: config.audit.keepDays,
    keyFile: auditKeyFile(loaded),
    checkpointEveryMs: config.audit.checkpointMinutes * 60_000,
  };
}

/**
 * A project has a trail on each machine, and they may share an anchor, so each has a name of its own. Of two processes that
 * begin one at once, both go by what the first wrote.
 */
function beginTrail(trail: string, project: string): string {
  mkdirSync(trail, { recursive: true, mode: 0o700 });
  const own = `${project}@${randomBytes(4).toString('hex')}`;
  const [file, made] = [join(trail, 'project'), join(trail, `project.${crypto.randomUUID()}`)];
  try {
    writeFileSync(made, `${own}\n`, { mode: 0o600 });
    // Whoever is first has named it, whole.
    linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (trailProject(trail) === undefined) renameSync(made, file);
  } finally {
    rmSync(made, { force: true });
  }
  return trailProject(trail) ?? own;
}

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { counted } from '@nexus/primitives';
import { findUnscoped } from '@nexus/store';
import { ask, olderLine, olderServers } from '../client/ask.ts';
import { ConfigError } from '../config/config-fault.ts';
import { loadConfig } from '../loaded-config/load-config.ts';
import { projectStore } from '../project/project-store.ts';
import { requireDataDir } from '../server/require-data-dir.ts';
import { NO_MODES } from '../state/keep-private.ts';
import { appDir, buildId } from '../version.ts';
import { auditTrail } from './audit.ts';
import type { Check } from './check.ts';
import { database } from './database.ts';
import { files } from './files.ts';
import { http } from './http.ts';
import { leftRuns } from './left-runs.ts';
import { liveServer } from './live-server.ts';
import { lockHolders } from './lock-holders.ts';
import { models } from './models.ts';
import { pinned } from './pinned.ts';
import { questions } from './questions.ts';
import { room } from './room.ts';
import { schedules } from './schedules.ts';
import { sources } from './sources.ts';
import { toolboxes } from './toolboxes.ts';

const MIN_NODE = [20, 19] as const;
/** A lock is held for milliseconds: a person need not wait as long as a server does. */
const LOCK_PATIENCE_MS = 3_000;
const schemaFile = new URL('nexus.config.schema.json', appDir);

const RESTART = 'run `nexus stop`, and restart the hosts that used it';

/** An upgrade does not end what runs: its hosts go on with the old one until they are restarted. */
const builds: Check = {
  name: 'Version',
  async run({ config: given }) {
    const older = await olderServers(given);
    if (older.length === 0) return { status: 'ok', saw: buildId() };
    return {
      status: 'warning',
      saw: [buildId(), ...older.map(olderLine)].join('\n      '),
      fix: RESTART,
    };
  },
};

const node: Check = {
  name: 'Node.js',
  async run() {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const isOld = major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1]);
    const saw = `${process.version} at ${process.execPath}`;
    return isOld ? { status: 'failed', saw, fix: 'install Node.js 20.19 or newer' } : { status: 'ok', saw };
  },
};

const config: Check = {
  name: 'Config',
  async run(source) {
    try {
      // Each warning says itself what to do; what servers lack is told by the check of toolboxes.
      const { configFile, projectRoot, plugins, configWarnings } = await loadConfig(source);
      const file = configFile ?? 'no file, so the defaults hold';
      const found = `${file}; project ${projectRoot}; ${counted(plugins.length, 'plugin')}`;
      const saw = [found, ...configWarnings].join('\n      ');
      return { status: configWarnings.length === 0 ? 'ok' : 'warning', saw };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const fix = `correct each line named; all keys and their limits: ${fileURLToPath(schemaFile)}`;
      return { status: 'failed', saw: error.message, fix };
    }
  },
};

const data: Check = {
  name: 'Data directory',
  async run(source) {
    const loaded = await loadConfig(source);
    const { dataDir, databaseUrl } = loaded;
    const fix = 'make it writable, or name another by NEXUS_DATA_DIR';
    try {
      requireDataDir(dataDir);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { status: 'failed', saw: error.faults.map(({ message }) => message).join(), fix };
    }
    // One that does not answer is told of by others.
    const running = await ask('status', source.config).catch(() => undefined);
    if (typeof running?.storeLost === 'string') {
      return { status: 'failed', saw: running.storeLost, fix: RESTART };
    }
    const store = projectStore(loaded, { lockWaitMs: LOCK_PATIENCE_MS });
    try {
      await store.tryToWrite();
      const seenBy = process.platform === 'win32' ? `; ${NO_MODES}` : '';
      const saw = `${dataDir} (${store.dialect}); project ${store.projectId}${seenBy}`;
      const unscoped = databaseUrl && (await findUnscoped({ databaseUrl, projectId: store.projectId }));
      if (!unscoped || unscoped.owner !== undefined || unscoped.rows.length === 0)
        return { status: 'ok', saw };
      return {
        status: 'warning',
        saw: `${saw}; schema ${unscoped.schema} holds rows from before projects were kept apart, seen by none`,
        fix: '`nexus project` shows them, `nexus project take-over` makes them this project’s',
      };
    } catch (error) {
      const holders = databaseUrl === undefined ? lockHolders(join(dataDir, 'nexus.sqlite')) : [];
      const [saw, named] = [(error as Error).message, holders.join(', ')];
      if (named === '' || !/stayed locked/.test(saw)) throw error;
      return { status: 'failed', saw, fix: `it is held by ${named}: wait until that has ended, or end it` };
    } finally {
      await store.close();
    }
  },
};

/** In the order in which one fault explains the next. */
export const checks: readonly Check[] = [
  node,
  config,
  builds,
  room,
  data,
  database,
  files,
  questions,
  schedules,
  leftRuns,
  auditTrail,
  http,
  liveServer,
  toolboxes,
  pinned,
  models,
  sources,
];

import { existsSync, type FSWatcher, realpathSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Log } from '@nexus/plugin-sdk';
import { oneByOne } from '@nexus/primitives';
import { ConfigError } from '../config/config-fault.ts';
import { configText } from '../config/config-text.ts';
import { type ConfigSource, type LoadedConfig, loadConfig } from './load-config.ts';

/** Editors write a file in several steps; together they take less than this. */
const SETTLE_MS = 200;

export interface ConfigWatchOptions {
  /** What the running config was loaded from. */
  readonly source: ConfigSource;
  /** The running config. */
  readonly loaded: LoadedConfig;
  /**
   * Takes a changed config over.
   * @param changed the sections that differ from the one before, such as `toolboxes`
   */
  onChange(loaded: LoadedConfig, changed: readonly string[]): void | Promise<void>;
  readonly log: Log;
}

export interface ConfigWatch extends Disposable {
  /** The running config. */
  readonly loaded: LoadedConfig;
  /**
   * Looks at the file now, as SIGHUP asks for.
   * @returns the sections that changed
   * @throws {ConfigError} all faults of the file; the running config stays
   */
  reload(): Promise<readonly string[]>;
  /** Calls back each time when a changed config has been taken over; the listener does not throw. */
  onTaken(listener: () => void): void;
}

/**
 * Follows the config file. A faulty one is logged with its faults, and what runs stays as it is. Where the
 * file's folder can't be watched, `reload` is the only way.
 */
export function watchConfig({ source, loaded, onChange, log }: ConfigWatchOptions): ConfigWatch {
  let running = loaded;
  const listeners: (() => void)[] = [];
  /** One after another: a change must not be overtaken by the one before. */
  const inTurn = oneByOne();
  let timer: NodeJS.Timeout | undefined;
  const { configFile } = loaded;

  async function load(): Promise<readonly string[]> {
    if (configFile !== undefined) refuseHalfWritten(configFile);
    const next = await loadConfig(source);
    if (next.configFile !== configFile) {
      const message = `${next.configFile} would be found instead; restart to change over`;
      throw new ConfigError(configFile ?? 'the default config', [{ path: '', message }]);
    }
    const changed = changedSections(running, next);
    if (changed.length === 0) return changed;
    await onChange(next, changed);
    running = next;
    for (const listener of listeners) listener();
    return changed;
  }

  const reload = () => inTurn(load);

  function look(): void {
    reload().then(
      (changed) => {
        if (changed.length > 0) log.info('the config has changed', { file: configFile, sections: changed });
      },
      (error: Error) => log.error('the changed config is not taken over', { reason: error.message }),
    );
  }

  const watchers = configFile === undefined ? [] : watchFile(configFile, settle, log);
  function settle(): void {
    clearTimeout(timer);
    timer = setTimeout(look, SETTLE_MS).unref();
  }
  return {
    get loaded() {
      return running;
    },
    reload,
    onTaken: (listener) => void listeners.push(listener),
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Watches the folder, since an editor that replaces the file leaves a watched file behind; of a link both folders. */
function watchFile(file: string, onEvent: () => void, log: Log): FSWatcher[] {
  const files = [...new Set([file, realpathSync(file)])];
  return files.flatMap((each) => {
    try {
      const watcher = watch(dirname(each), { persistent: false }, (_event, name) => {
        if (name === null || name === basename(each)) onEvent();
      });
      watcher.on('error', (error) => log.warn('the config is no longer watched', { file: each, err: error }));
      return [watcher];
    } catch (error) {
      log.warn('the config can’t be watched; a reload must be asked for', { file: each, err: error });
      return [];
    }
  });
}

/** Nothing at all is valid, but there it is a file that is being replaced, and must not close everything. */
function refuseHalfWritten(file: string): void {
  const isThere = existsSync(file) && configText(file).trim() !== '';
  if (!isThere)
    throw new ConfigError(file, [{ path: '', message: 'is gone or empty; write {} to empty it' }]);
}

function changedSections(before: LoadedConfig, after: LoadedConfig): string[] {
  const names = new Set([...Object.keys(before.written), ...Object.keys(after.written)]);
  const changed = [...names].filter((name) => !isDeepStrictEqual(before.written[name], after.written[name]));
  return [...new Set([...changed, ...changedParts(before, after)])].sort();
}

/** Sections with parts that are another thing than before, or wait for trust now and did not, or the other way round. */
function changedParts({ trust: before }: LoadedConfig, { trust: after }: LoadedConfig): string[] {
  const [old, fresh] = [standing(before), standing(after)];
  return [...before.parts, ...after.parts]
    .filter(({ name }) => old.get(name) !== fresh.get(name))
    .map(({ path: [section = ''] }) => section);
}

function standing({ parts, waiting }: LoadedConfig['trust']): ReadonlyMap<string, string> {
  return new Map(parts.map((part) => [part.name, `${part.hash} ${waiting.includes(part)}`]));
}

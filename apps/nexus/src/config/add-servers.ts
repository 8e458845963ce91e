import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '@nexus/core';
import { openDocument, writeDocument } from './config-document.ts';
import { isMap } from './yaml.ts';

export interface NewServers {
  readonly toolbox: string;
  /** Of a toolbox that is not there yet. */
  readonly description: string;
  /** Entries for `mcpServers`, by name. */
  readonly servers: Readonly<Record<string, unknown>>;
  /** What happens to a server of the same name with other settings. */
  readonly onConflict: 'keep' | 'replace';
}

export interface AddedServers {
  /** The file's new content. */
  readonly text: string;
  /** Whether the toolbox was made, and so its description is the wanted one. */
  readonly isNewToolbox: boolean;
  readonly added: readonly string[];
  readonly replaced: readonly string[];
  /** There already, with the same settings. */
  readonly unchanged: readonly string[];
  /** There already, with other settings, and left as they are. */
  readonly kept: readonly string[];
}

/**
 * Adds servers to a toolbox of a config's text. YAML keeps its comments and its order; JSON is written anew.
 * @param format by the file's name
 * @throws {Error} when the text is no config
 */
export function addServers(text: string, format: 'json' | 'yaml', wanted: NewServers): AddedServers {
  const { toolbox, description, servers, onConflict } = wanted;
  const document = openDocument(text, format);
  const before = existingServers(document.toJS(), toolbox);
  const names = Object.keys(servers);
  const isNew = (name: string) => !Object.hasOwn(before, name);
  const isSame = (name: string) => isDeepStrictEqual(before[name], servers[name]);
  const differing = names.filter((name) => !isNew(name) && !isSame(name));
  const added = names.filter(isNew);
  const replaced = onConflict === 'replace' ? differing : [];
  const isNewToolbox = !isMap(document.getIn(['toolboxes', toolbox]));
  for (const path of [['toolboxes'], ['toolboxes', toolbox], ['toolboxes', toolbox, 'mcpServers']]) {
    if (isMap(document.getIn(path))) continue;
    document.setIn(path, document.createNode(path.length === 2 ? { description } : {}));
  }
  for (const name of [...added, ...replaced]) {
    document.setIn(['toolboxes', toolbox, 'mcpServers', name], document.createNode(servers[name]));
  }
  return {
    text: added.length + replaced.length > 0 ? writeDocument(document, format, text) : text,
    isNewToolbox,
    added,
    replaced,
    unchanged: names.filter((name) => !isNew(name) && isSame(name)),
    kept: onConflict === 'keep' ? differing : [],
  };
}

/** The servers that a config has in a toolbox. */
export function existingServers(config: unknown, toolbox: string): Record<string, unknown> {
  const toolboxes = isRecord(config) && isRecord(config.toolboxes) ? config.toolboxes : {};
  const found = toolboxes[toolbox];
  return isRecord(found) && isRecord(found.mcpServers) ? found.mcpServers : {};
}

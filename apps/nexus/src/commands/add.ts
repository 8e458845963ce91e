import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside } from '@nexus/primitives';
import { tellServer } from '../client/tell-server.ts';
import { addPlugin } from '../config/add-plugin.ts';
import { formatOf } from '../config/config-document.ts';
import { writeConfig } from '../config/write-config.ts';
import { targetConfig } from '../loaded-config/target-config.ts';
import { importPlugin, pluginEntry } from '../plugins/import-plugin.ts';
import { fail, print } from '../terminal/output.ts';
import { trustWritten } from '../trust/trust-written.ts';
import { appDir } from '../version.ts';
import { type Command, configOption, text } from './command.ts';

export const add: Command = {
  usage: 'add <plugin>',
  summary: 'put a plugin, a package or a path, into the config, and trust it',
  options: [configOption],
  examples: ['add ./tools/review.mjs', 'add @acme/nexus-jira'],
  async run([plugin], options) {
    const { file } = targetConfig(text(options, 'config'));
    const folder = dirname(file);
    const specifier = specifierOf(String(plugin), folder);
    const app = fileURLToPath(appDir);
    if (pluginEntry(specifier, folder, app) === undefined) {
      return fail(
        `there is no plugin ${specifier} for ${file}; ${isPath(String(plugin)) ? 'check the path' : `name a file or folder, or install the package there first (npm install ${plugin})`}`,
      );
    }
    // Its user asks for it by name, so it may run: one that can't be loaded is not written.
    const { name, tools } = await importPlugin(specifier, folder, app);
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const after = addPlugin(before, formatOf(file), specifier);
    if (after !== undefined) writeConfig(file, after);
    await trustWritten(file, (part) => part.name === `plugins: ${specifier}`);
    await tellServer();
    return print([
      `${after === undefined ? 'There already' : 'Added'}: plugin ${name} (${specifier}) in ${file}, with ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}. It is trusted until a file of it changes.`,
      'It counts from the next start of the server on (`nexus stop` ends one that runs).',
    ]);
  },
};

/** As the config is to have it: a path from its own folder on, since others have theirs elsewhere. */
function specifierOf(given: string, folder: string): string {
  if (!isPath(given)) return given;
  const file = resolve(given);
  const path = relative(folder, file).split(sep).join('/');
  return isInside({ path: file, folder }) ? `./${path}` : path;
}

function isPath(given: string): boolean {
  return /^\.{0,2}[/\\]/.test(given) || isAbsolute(given) || existsSync(resolve(given));
}

import { shownConfig } from '../config/shown-config.ts';
import { loadConfig } from '../loaded-config/load-config.ts';
import { print, printJson } from '../terminal/output.ts';
import { type Command, configOption, jsonOption, text } from './command.ts';

export const config: Command = {
  usage: 'config',
  summary: 'show the config in force, with defaults filled in and secrets masked',
  options: [jsonOption, configOption],
  examples: ['config', 'config --config team.yaml --json'],
  async run(_args, options) {
    const loaded = await loadConfig({ config: text(options, 'config') });
    const { configFile, projectRoot, dataDir, notes, warnings, plugins } = loaded;
    const document = {
      configFile: configFile ?? null,
      projectRoot,
      dataDir,
      plugins: plugins.map(({ name }) => name),
      notes,
      warnings,
      config: shownConfig({ ...loaded, pluginOptions: await loaded.everyOption() }),
    };
    if (options.json) return printJson(document);
    const { stringify } = await import('../config/yaml.ts');
    return print([stringify(document).trimEnd()]);
  },
};

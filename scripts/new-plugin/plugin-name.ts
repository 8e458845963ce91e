import type { Workspace } from '../workspace/workspace.ts';

const PLUGIN_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const MAX_CHARACTERS = 30;

/** The spellings of one plugin's name, each where its place wants it. */
export interface PluginNames {
  /** `release-notes`: the folder, the plugin's name, its section of the config. */
  readonly plugin: string;
  /** `@nexus/plugin-release-notes` */
  readonly package: string;
  /** `releaseNotes`: a variable. */
  readonly variable: string;
  /** `release_notes_word_count`: the example tool. */
  readonly tool: string;
  /** `releaseNotesWordCount`: its variable. */
  readonly toolVariable: string;
  /** `release-notes-word-count`: its file. */
  readonly toolFile: string;
  /** `release_notes_survey`: the example of a tool that is a run. */
  readonly runTool: string;
  /** `releaseNotesSurvey`: its variable. */
  readonly runVariable: string;
  /** `release-notes-survey`: its file. */
  readonly runFile: string;
  /** `Release notes` */
  readonly title: string;
}

/** @throws {Error} with the rule, when the name is none or taken */
export function namesFor(plugin: string, workspace: Workspace): PluginNames {
  if (!PLUGIN_NAME.test(plugin) || plugin.length > MAX_CHARACTERS) {
    const rule = `lower-case words of a-z and 0-9 joined by dashes, at most ${MAX_CHARACTERS} characters, such as release-notes`;
    throw new Error(`"${plugin}" is no name for a plugin. The rule: ${rule}.`);
  }
  const taken = workspace.packages.find(({ folder }) => folder === `packages/plugins/${plugin}`);
  if (taken)
    throw new Error(`packages/plugins/${plugin} is there already. Choose another name, or change it.`);
  if (plugin === 'nexus') throw new Error('"nexus" is what Nexus says of itself. Choose another name.');
  return {
    plugin,
    package: `@nexus/plugin-${plugin}`,
    variable: camelCase(plugin),
    tool: `${plugin.replaceAll('-', '_')}_word_count`,
    toolVariable: camelCase(`${plugin}-word-count`),
    toolFile: `${plugin}-word-count`,
    runTool: `${plugin.replaceAll('-', '_')}_survey`,
    runVariable: camelCase(`${plugin}-survey`),
    runFile: `${plugin}-survey`,
    title: plugin.charAt(0).toUpperCase() + plugin.slice(1).replaceAll('-', ' '),
  };
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase());
}

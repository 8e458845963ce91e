import { place, sourceFiles } from '../../workspace/source-files.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'plugin-layout';
const FOLDER = /^packages\/plugins\/([^/]+)\/package\.json$/;

export const pluginLayout: Check = {
  name: NAME,
  proves: 'a plugin’s folder has its name, one tool a file named after it, and runs testPlugin',
  run({ workspace, plugins }) {
    const folders = workspace.files.flatMap((file) => FOLDER.exec(file)?.[1] ?? []);
    if (folders.length === 0) return lookedAtNothing(NAME, 'plugin folders');
    const names = plugins.map(({ name }) => name);
    return folders.flatMap((folder) => [
      ...unbundled(folder, names),
      ...untested(workspace, folder),
      ...sourceFiles(workspace)
        .filter((file) => file.startsWith(`packages/plugins/${folder}/`))
        .flatMap((file) => misnamedTools(file, workspace.read(file))),
    ]);
  },
};

function unbundled(folder: string, names: readonly string[]): Finding[] {
  if (names.includes(folder)) return [];
  const what = `no bundled plugin has the name "${folder}"; there are ${names.join(', ')}`;
  const fix = `definePlugin({ name: '${folder}', … }), and list it in apps/nexus/src/plugins/bundled-plugins.ts`;
  return [{ check: NAME, where: `packages/plugins/${folder}`, what, fix }];
}

function untested(workspace: Workspace, folder: string): Finding[] {
  const tests = workspace.files.filter(
    (file) => file.startsWith(`packages/plugins/${folder}/`) && /\/test\/|\.test\.ts$/.test(file),
  );
  if (tests.some((file) => /\btestPlugin\(/.test(workspace.read(file)))) return [];
  const fix = "call testPlugin(plugin, { goodCalls: { … } }) of '@nexus/testing' in src/index.test.ts";
  return [{ check: NAME, where: `packages/plugins/${folder}`, what: 'no test runs testPlugin', fix }];
}

function misnamedTools(file: string, text: string): Finding[] {
  const tools = [...text.matchAll(/\bdefineTool\(\{\s*name: '(\w+)'/g)];
  return tools.flatMap((match, index) => {
    const name = match[1] ?? '';
    const expected = `${name.replaceAll('_', '-')}.ts`;
    const where = place(file, text, match.index);
    if (index > 0) {
      const what = `${name} is the second tool in its file`;
      return [{ check: NAME, where, what, fix: `move it to ${expected}` }];
    }
    if (file.endsWith(`/${expected}`)) return [];
    return [
      { check: NAME, where, what: `${name} is not in a file of its name`, fix: `rename it to ${expected}` },
    ];
  });
}

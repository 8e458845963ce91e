import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type PluginTestOptions, type PluginUnderTest, startPlugin } from '@nexus/testing';
import plugin from '../src/index.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Files in a temporary folder, by path relative to it. */
export function makeFolder(
  files: Files = {},
): { readonly path: string; write(files: Files): void } & Disposable {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-code-')));
  const write = (more: Files) => {
    for (const [name, content] of Object.entries(more)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), content);
    }
  };
  write(files);
  return { path, write, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Project extends PluginUnderTest, AsyncDisposable {
  readonly path: string;
  write(files: Files): void;
}

/** The plugin, started on a project of these files. */
export async function startProject(files: Files, options: PluginTestOptions = {}): Promise<Project> {
  const folder = makeFolder(files);
  const running = await startPlugin(plugin, { projectRoot: folder.path, ...options });
  return {
    ...running,
    path: folder.path,
    write: folder.write,
    async [Symbol.asyncDispose]() {
      await running.stop();
      folder[Symbol.dispose]();
    },
  };
}

/** The code under `_meta["nexus/error"]` and the text of a call that must fail. */
export async function failure(
  call: ReturnType<PluginUnderTest['call']>,
): Promise<{ code: string; text: string }> {
  const result = await call;
  const envelope = result._meta?.['nexus/error'] as { code: string } | undefined;
  return { code: envelope?.code ?? 'none', text: result.content.map((block) => block.text ?? '').join('\n') };
}

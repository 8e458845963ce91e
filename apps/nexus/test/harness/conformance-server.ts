import { expect, vi } from 'vitest';
import { bundleFixture } from './bundle-fixture.ts';
import { changeConfig, makeProject, type Project } from './project.ts';
import { startServer } from './server-process.ts';

/** How Nexus reaches the conformance suite's server. */
export const carriers = ['stdio', 'http'] as const;

export interface ServedProject extends AsyncDisposable {
  readonly project: Project;
  /** Of the server itself. */
  readonly url: string;
}

/** A project whose only toolbox is the conformance suite's server, open from the start, names as they are. */
export async function projectWithConformanceServer(
  carrier: (typeof carriers)[number],
): Promise<ServedProject> {
  const project = await makeProject();
  const file = project.path('conformance-server.mjs');
  await bundleFixture('conformance-server', file);
  const server = startServer(project, { command: process.execPath, args: [file, 'http'] });
  const end = async () => {
    await server[Symbol.asyncDispose]();
    await project[Symbol.asyncDispose]();
  };
  try {
    const url = await vi.waitFor(
      () => {
        const [url] = /http:\S+/.exec(server.stderr()) ?? [];
        expect(url, server.stderr()).toBeDefined();
        return String(url);
      },
      { timeout: 10_000, interval: 20 },
    );
    const reached = {
      stdio: { command: process.execPath, args: [file, 'stdio'] },
      http: { transport: 'http', url },
    };
    await changeConfig(project, {
      toolboxes: {
        fixture: {
          description: 'What the conformance suite asks for.',
          autoOpen: true,
          prefix: false,
          mcpServers: { fixture: reached[carrier] },
        },
      },
    });
    return { project, url, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}
